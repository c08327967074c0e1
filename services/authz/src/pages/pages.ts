/**
 * The pages as one plugin of the application, with their own body parser and error pages. The rest of the application
 * has neither: the library reads bodies itself, and refuses by JSON.
 */

import { PageRefusal, refusals } from '@financial-agents/owner-pages/refusal'
import { isPagePath } from '@financial-agents/pages/page-paths'
import { createFormTokens } from '@financial-agents/pages/tunnel/form-token'
import { languageParameter } from '@financial-agents/pages/tunnel/language-choice'
import { pathOf } from '@financial-agents/pages/tunnel/route-table'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import { isOutOfReach } from '../browser/out-of-reach.ts'
import { createSignIns } from '../browser/sign-ins.ts'
import { addGetSession } from '../handlers/getSession.ts'
import { createSignInStore } from '../store/sign-ins.ts'
import { addAccountPages } from './account.ts'
import { addActivityPages } from './activity.ts'
import { addApplicationPages } from './application.ts'
import { addApplicationLogos } from './application-logo.ts'
import { addApprovalReturnPage } from './approval-return.ts'
import { addConfirmPages } from './confirm.ts'
import { addConnectPages } from './connect.ts'
import { addConsentPage } from './consent.ts'
import { addDecidedPage } from './decided.ts'
import { addDisconnectPages } from './disconnect.ts'
import { addEndPages } from './end-access.ts'
import { addInteractionPages } from './interaction.ts'
import { addLimitsPages } from './limits.ts'
import { addMandatePages } from './mandate.ts'
import { addMandateLimitsPage } from './mandate-limits.ts'
import { redirect, sendView } from './page-request.ts'
import type { PagesDependencies, PageTools } from './page-tools.ts'
import { addSignInPages } from './sign-in.ts'

const maxFormBytes = 16_384

/** Adds every page to the application. Call it before `ready`. */
export function addPages(app: FastifyInstance, dependencies: PagesDependencies): void {
  const { db, sealer } = dependencies
  const tools: PageTools = {
    ...dependencies,
    signIns: createSignIns({ ...dependencies, store: createSignInStore(db, sealer) }),
    csrf: createFormTokens(dependencies.dpopNonceKey, 'csrf tokens of the pages'),
  }
  addRefusals(app, tools)
  void app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    pages.setErrorHandler((error, request, reply) => refuse(tools, request, reply, toRefusal(error, tools)))
    addApplicationLogos(pages, tools)
    addInteractionPages(pages, tools)
    addConsentPage(pages, tools)
    addDecidedPage(pages, tools)
    addSignInPages(pages, tools)
    addAccountPages(pages, tools)
    addActivityPages(pages, tools)
    addApplicationPages(pages, tools)
    addMandatePages(pages, tools)
    addMandateLimitsPage(pages, tools)
    addLimitsPages(pages, tools)
    addDisconnectPages(pages, tools)
    addEndPages(pages, tools)
    addConnectPages(pages, tools)
    addConfirmPages(pages, tools)
    addApprovalReturnPage(pages, tools)
  })
  void app.register(async (routes) => addGetSession(routes, tools))
}

/** Refuses requests that no page answers. It runs before the router, which would send its own 404. */
function addRefusals(app: FastifyInstance, tools: PageTools): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url)
    if (!isPagePath(path)) return undefined
    const methods = tools.methodsOf(path)
    if (!methods) return refuse(tools, request, reply, refusals.notFound())
    if (methods.includes(request.method)) return chooseLanguage(tools, request, reply)
    return refuse(tools, request, reply.header('allow', methods.join(', ')), refusals.wrongMethod())
  })
}

/** Sends the error page in the language of the owner who is signed in, if that can be known. */
async function refuse(
  tools: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: PageRefusal,
): Promise<FastifyReply> {
  return sendView(reply, refusal.viewFor(await tools.readers.ofSession(request)), tools)
}

/** Keeps the language that an address names, and leads to the address without it. */
function chooseLanguage(
  { readers }: PageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const [path = '', query] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const language = parameters.get(languageParameter)
  if (request.method !== 'GET' || language === null || !readers.choose(reply, language)) return undefined
  parameters.delete(languageParameter)
  return redirect(reply, parameters.size === 0 ? path : `${path}?${parameters.toString()}`)
}

function toRefusal(error: unknown, { log }: PageTools): PageRefusal {
  if (error instanceof PageRefusal) return error
  // Another request answered or ended this interaction at the same time, so the library no longer finds it.
  if (error instanceof errors.SessionNotFound) return refusals.staleInteraction()
  // Fastify's own parser refused the form before any of our pages ran.
  const { statusCode = 500, code } = error as Partial<FastifyError>
  if (statusCode < 500 && code?.startsWith('FST_')) return refusals.badForm(statusCode)
  if (isOutOfReach(error)) {
    log.warn({ err: error }, 'a page met a service that is out of reach')
    return refusals.unavailable()
  }
  log.error({ err: error }, 'a page failed')
  return refusals.failed()
}
