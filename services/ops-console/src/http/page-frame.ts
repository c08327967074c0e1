/**
 * The frame of every page checks, in this order: session, scope, form, audit. Only an operator with the page's scope
 * gets an answer. Data that is shown without a call of the API is recorded in the audit before it leaves.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Html } from '@financial-agents/pages/html'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { cookieJar, hostCookieName } from '@financial-agents/pages/tunnel/cookie-jar'
import { pathOf } from '@financial-agents/pages/tunnel/route-table'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createApiClient } from '../api/api-client.ts'
import { writesBanner } from '../pages/views/writes.ts'
import { listAudit } from '../store/audit-log.ts'
import { readReadHealth } from '../store/read-health.ts'
import type { Session } from '../store/sessions.ts'
import type { ConsolePage, PageAnswer, PageRequest, PageSession } from './console-page.ts'
import type { ConsoleTools } from './console-tools.ts'
import { checkForm, hiddenToken } from './form.ts'
import { refusals, toRefusal } from './refusals.ts'
import { redirect, sendFile, sendPage, sendRefusal } from './send-page.ts'

/** The header with which a page's own script asks for changes. */
const refreshHeader = 'x-refresh'

export function addPage(app: FastifyInstance, tools: ConsoleTools, page: ConsolePage): void {
  app.route({
    method: page.method,
    url: page.path,
    handler: async (request, reply) => {
      const isRefresh = page.method === 'GET' && request.headers[refreshHeader] !== undefined
      const session = await tools.sessions.find(request, !isRefresh)
      if (!session) return askToSignIn(request, reply, page, isRefresh)
      const shown = pageSession(tools, session)
      const banner = bannerOf(tools, session)
      try {
        const answer = await answerOf(page, tools, { request, reply, session, shown, isRefresh })
        if ('view' in answer)
          return sendPage(reply, tools, { ...answer, session: shown, isRefresh, first: await banner })
        if ('file' in answer) return sendFile(reply, answer.file)
        if (answer.flash !== undefined) flashJar(tools).write(reply, answer.flash, 60)
        return redirect(reply, answer.redirectTo)
      } catch (error) {
        return sendRefusal(reply, tools, error, { session: shown, first: await banner })
      }
    },
  })
}

type FrameRequest = {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  shown: PageSession
  isRefresh: boolean
}

async function answerOf(page: ConsolePage, tools: ConsoleTools, asked: FrameRequest): Promise<PageAnswer> {
  const { request, session } = asked
  const path = pathOf(request.url)
  const entry = { operator: { ...session.operator, session: session.key }, remoteAddress: request.ip }
  if (!session.scopes.includes(page.scope)) {
    await tools.audit({ ...entry, action: 'refusedPage', detail: { path }, outcome: 'insufficient_scope' })
    throw refusals.insufficientScope()
  }
  const form = page.method === 'POST' ? checkForm(request, tools, ['session', session.key]) : {}
  const asking = pageRequest(tools, asked, form)
  if (page.look === undefined) return page.answer(asking)
  // Parameters of the path come last, so that the query cannot overwrite the id that was shown.
  const look = { ...entry, action: page.look, detail: { ...asking.query, ...asking.params } }
  try {
    const answer = await page.answer(asking)
    await tools.audit({ ...look, outcome: 'answered' })
    return answer
  } catch (error) {
    await tools.audit({ ...look, outcome: toRefusal(error)?.code ?? 'internal_error' })
    throw error
  }
}

function pageRequest(tools: ConsoleTools, asked: FrameRequest, form: Record<string, string>): PageRequest {
  const { request, reply, session, shown, isRefresh } = asked
  return {
    session: shown,
    publicUrl: tools.publicUrl,
    links: tools.links,
    suspending: { cursors: tools.cursors, byTwo: tools.suspendsClientsByTwo, now: () => tools.clock.now() },
    path: pathOf(request.url),
    params: request.params as Record<string, string>,
    query: queryOf(request),
    form,
    isRefresh,
    flash: isRefresh ? undefined : takeFlash(tools, request, reply),
    api: createApiClient(tools.askGateway, session),
    overview: async () => {
      checkRead(session)
      return tools.overview(callContext())
    },
    providerHealth: async (days) => {
      checkRead(session)
      return tools.providerHealth(days, callContext())
    },
    readHealth: async (days) => {
      checkRead(session)
      return readReadHealth(tools.db, days, tools.clock.now())
    },
    writes: async () => {
      checkRead(session)
      return tools.readWrites(callContext())
    },
    grantActivity: async (grant_ids) => {
      checkRead(session)
      return ask(tools.bus, 'int.operations.grant-activity', { grant_ids }, callContext())
    },
    clientNames: async (clientIds) => {
      checkRead(session)
      return tools.clientNames(clientIds, callContext()).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error
        return new Map(clientIds.map((id) => [id, id]))
      })
    },
    listAudit: (query) => listAudit(tools.db, tools.cursors, query),
  }
}

/** What every page of an operator says first: that writes are closed. */
async function bannerOf(tools: ConsoleTools, { scopes }: Session): Promise<Html | undefined> {
  if (!scopes.includes('ops:read')) return undefined
  return writesBanner({ writes: await tools.readWrites(callContext()), links: tools.links, now: new Date() })
}

function checkRead({ scopes }: Session): void {
  if (!scopes.includes('ops:read')) throw refusals.insufficientScope()
}

export function pageSession(tools: ConsoleTools, { key, operator, scopes }: Session): PageSession {
  return { operator, scopes, formToken: hiddenToken(tools, ['session', key]) }
}

function askToSignIn(request: FastifyRequest, reply: FastifyReply, page: ConsolePage, isRefresh: boolean) {
  if (isRefresh || page.method === 'POST') throw refusals.signedOut()
  return redirect(reply, `/ops/sign-in?next=${encodeURIComponent(request.url)}`)
}

function queryOf({ url }: FastifyRequest): Record<string, string> {
  const parameters = [...new URLSearchParams(url.split('?', 2)[1] ?? '')]
  return Object.fromEntries(parameters.filter(([, value]) => value !== ''))
}

const flashJar = ({ consoleUrl }: ConsoleTools) => cookieJar(consoleUrl, hostCookieName(consoleUrl, 'ops_flash'))

function takeFlash(tools: ConsoleTools, request: FastifyRequest, reply: FastifyReply): string | undefined {
  const word = flashJar(tools).read(request)
  if (word !== undefined) flashJar(tools).clear(reply)
  return word
}
