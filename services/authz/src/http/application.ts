/**
 * The HTTP application. It has no socket: requests arrive over the bus and are injected. Only published paths are
 * mounted. Any other path gets a problem, or a page if pages are mounted.
 *
 * Invariant: addresses, `htu` and the issuer come from the configured origin, whatever host a request names.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { createRouteTable, getAlone, pathOf, type RouteTable } from '@financial-agents/pages/tunnel/route-table'
import { currentContext } from '@financial-agents/runtime/context'
import type { Log } from '@financial-agents/runtime/log'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import { protectedResourceMetadata } from '../provider/metadata.ts'
import { paths } from '../provider/paths.ts'

export type ApplicationDependencies = {
  /** The library's endpoints. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  baseUrl: string
  log: Log
  /** Adds the pages, which answer an unknown path or method with pages of their own. */
  addPages?: ((app: FastifyInstance, methodsOf: RouteTable['methodsOf']) => void) | undefined
}

const readable: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS']
const forBrowserClients: HTTPMethods[] = ['POST', 'OPTIONS']

/** Paths that software calls. The response is JSON even if the caller prefers HTML. */
const backChannel: Readonly<Record<string, HTTPMethods[]>> = {
  [paths.openidConfiguration]: readable,
  [paths.authorizationServer]: readable,
  [paths.jwks]: readable,
  [paths.token]: forBrowserClients,
  [paths.pushedRequest]: ['POST'],
  [paths.revocation]: ['POST'],
  [paths.deviceAuthorization]: ['POST'],
}

/** Paths that a person's browser opens. `:uid` is the way back from the pages of an interaction. */
const frontChannel: Readonly<Record<string, HTTPMethods[]>> = {
  [paths.authorization]: ['GET'],
  [`${paths.authorization}/:uid`]: ['GET'],
  [paths.device]: ['GET', 'HEAD', 'POST'],
  [pagePaths.deviceResumed]: ['GET'],
}

export async function createApplication(dependencies: ApplicationDependencies): Promise<FastifyInstance> {
  const { baseUrl, log } = dependencies
  const app = Fastify({
    logger: false,
    frameworkErrors: (_error, request, reply) => {
      void sendProblem(baseUrl, request, reply, new Problem('malformed_request'))
    },
  })
  // The library reads bodies itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const table = createRouteTable()
  app.addHook('onRoute', ({ url, method }) => table.add(url, [method].flat()))
  overwriteHost(app, baseUrl)
  dependencies.addPages?.(app, table.methodsOf)
  mount(app, dependencies)
  addRefusals(app, { baseUrl, log, table })
  await app.ready()
  return app
}

/** The library and the pages read these headers to learn their own address. */
function overwriteHost(app: FastifyInstance, baseUrl: string): void {
  const { host, protocol } = new URL(baseUrl)
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    headers.host = host
    headers['x-forwarded-host'] = host
    headers['x-forwarded-proto'] = protocol.slice(0, -1)
  })
}

function mount(app: FastifyInstance, { handle, baseUrl }: ApplicationDependencies): void {
  for (const [url, method] of Object.entries(frontChannel))
    app.route({
      url,
      method,
      ...getAlone,
      handler: (request, reply) => {
        // The library reads the entry of a device's code as a form, unless it is a GET. The gateway sends no body.
        if (request.method === 'HEAD') request.raw.method = 'GET'
        hand(request, reply)
      },
    })
  for (const [url, method] of Object.entries(backChannel))
    app.route({
      url,
      method,
      handler: (request, reply) => {
        request.raw.headers.accept = 'application/json'
        hand(request, reply)
      },
    })
  app.route({
    url: paths.protectedResource,
    method: ['GET', 'HEAD'],
    handler: (_request, reply) => reply.type('application/json').send(protectedResourceMetadata(baseUrl)),
  })

  function hand(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack()
    handle(request.raw, reply.raw)
  }
}

/** Refuses requests that no path answers. */
function addRefusals(app: FastifyInstance, dependencies: { baseUrl: string; log: Log; table: RouteTable }): void {
  const { baseUrl, log, table } = dependencies
  // This runs before Fastify's own checks, which have other answers for methods that Fastify knows only in part.
  app.addHook('onRequest', async (request, reply) => {
    const methods = table.methodsOf(pathOf(request.url))
    if (!methods) return sendProblem(baseUrl, request, reply, new Problem('route_not_found'))
    if (methods.includes(request.method) && !isBareOptions(request)) return undefined
    return sendProblem(baseUrl, request, reply.header('allow', methods.join(', ')), new Problem('method_not_allowed'))
  })
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number }
    if (statusCode < 500) return sendProblem(baseUrl, request, reply, new Problem('malformed_request'))
    log.error({ err: error }, 'a request failed')
    return sendProblem(baseUrl, request, reply, new Problem('internal_error'))
  })
}

function sendProblem(baseUrl: string, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const body = renderProblem(problem.data, {
    baseUrl,
    instance: pathOf(request.url),
    requestId: currentContext()?.requestId ?? 'unknown-request',
    refreshOnboarding: false,
  })
  // The body is sent as bytes. For a string, Fastify would add a charset, which this media type does not have (RFC
  // 9457).
  reply.code(body.status).header('cache-control', 'no-store').type('application/problem+json')
  return reply.send(Buffer.from(JSON.stringify(body)))
}

/** The library supports OPTIONS only for preflights, and would answer this one with a bare 404. */
function isBareOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] === undefined
}
