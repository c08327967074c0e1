/** Pages, fragments and redirects as they are sent. */

import type { Page } from '@financial-agents/pages/page'
import type { PageRights } from '@financial-agents/pages/page-headers'
import type { FastifyReply } from 'fastify'
import { consoleHeaders, renderConsolePage, renderFragment } from '../pages/layout.ts'
import type { PageSession } from './console-page.ts'
import type { ConsoleTools } from './console-tools.ts'
import { refusals, toRefusal } from './refusals.ts'

export type Sending = {
  view: Page
  status?: number
  rights?: PageRights
  session?: PageSession | undefined
  isRefresh?: boolean
}

export function sendPage(reply: FastifyReply, { environment }: Pick<ConsoleTools, 'environment'>, sending: Sending) {
  const { view, status = 200, rights = {}, session, isRefresh } = sending
  // Whoever is signed in has a form in the header: the way out.
  const headers = consoleHeaders(session ? { ...rights, forms: true } : rights)
  const body = isRefresh ? renderFragment(view) : renderConsolePage(view, { session, environment })
  return reply.code(status).headers(headers).send(body)
}

/** The page for whatever was thrown; what is a fault of ours, or out of reach, is in the log. */
export function sendRefusal(
  reply: FastifyReply,
  tools: Pick<ConsoleTools, 'environment' | 'log'>,
  error: unknown,
  session?: PageSession,
): FastifyReply {
  const known = toRefusal(error)
  if (!known) tools.log.error({ err: error }, 'a page failed')
  else if (known.status === 503) tools.log.warn({ err: error }, 'a page met something that is out of reach')
  const { status, page } = known ?? refusals.failed()
  return sendPage(reply, tools, { view: page, status, session })
}

/** After a form: the browser asks for the next page by GET. */
export function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 303)
}
