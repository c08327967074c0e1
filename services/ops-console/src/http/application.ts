/**
 * The console as an HTTP application. It has no socket: requests arrive over the bus and are injected.
 *
 * Invariant: every failure ends in a page, and no cache may store a page.
 */

import { createRouteTable, pathOf } from '@financial-agents/pages/tunnel/route-table'
import Fastify, { type FastifyInstance } from 'fastify'
import { assets } from '../pages/assets.ts'
import { consolePages } from '../pages/pages.ts'
import { addSignInPages } from '../sign-in/sign-in-pages.ts'
import type { ConsoleTools } from './console-tools.ts'
import { addPage } from './page-frame.ts'
import { refusals } from './refusals.ts'
import { sendPage, sendRefusal } from './send-page.ts'

const maxFormBytes = 16_384

export async function createApplication(tools: ConsoleTools): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    // An invalid address never reaches the hooks.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply, tools, refusals.notFound()),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  )
  addRefusals(app, tools)
  addSignInPages(app, tools)
  for (const page of consolePages) addPage(app, tools, page)
  for (const { path, contentType, body } of assets)
    app.get(path, (_request, reply) =>
      reply
        .headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' })
        .headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
        .send(body),
    )
  await app.ready()
  return app
}

/** Refuses requests that no page answers. It runs before the router, which would answer in its own words. */
function addRefusals(app: FastifyInstance, tools: ConsoleTools): void {
  const table = createRouteTable()
  app.addHook('onRoute', ({ url, method }) => table.add(url, [method].flat()))
  app.addHook('onRequest', async (request, reply) => {
    const methods = table.methodsOf(pathOf(request.url))
    if (methods?.includes(request.method)) return undefined
    const { status, page } = methods ? refusals.wrongMethod() : refusals.notFound()
    if (methods) void reply.header('allow', methods.join(', '))
    return sendPage(reply, tools, { view: page, status })
  })
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, tools, error))
}
