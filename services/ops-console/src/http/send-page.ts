/** Sends pages, fragments and redirects. */

import type { Html } from '@financial-agents/pages/html'
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
  /** The banner above the page. */
  first?: Html | undefined
  isRefresh?: boolean
}

/** The facts about the installation that every page needs. */
type Surroundings = Pick<ConsoleTools, 'environment' | 'branding'>

export function sendPage(reply: FastifyReply, { environment, branding }: Surroundings, sending: Sending) {
  const { status = 200, rights = {}, session, first, isRefresh } = sending
  const view = { ...sending.view, first }
  // The header of a signed-in operator's page contains a form, to sign out.
  const headers = consoleHeaders(session ? { ...rights, forms: true } : rights, branding)
  const body = isRefresh ? renderFragment(view) : renderConsolePage(view, { session, environment, branding })
  return reply.code(status).headers(headers).send(body)
}

/** Sends the page for an error. An error that is our own fault, or an outage, is logged. */
export function sendRefusal(
  reply: FastifyReply,
  tools: Surroundings & Pick<ConsoleTools, 'log'>,
  error: unknown,
  around: Pick<Sending, 'session' | 'first'> = {},
): FastifyReply {
  const known = toRefusal(error)
  if (!known) tools.log.error({ err: error }, 'a page failed')
  else if (known.status === 503) tools.log.warn({ err: error }, 'a page met something that is out of reach')
  const { status, page } = known ?? refusals.failed()
  return sendPage(reply, tools, { view: page, status, ...around })
}

/** Sends a file for the browser to save. Its headers forbid scripts and caching. */
export function sendFile(reply: FastifyReply, file: { name: string; contentType: string; body: string }): FastifyReply {
  return reply
    .headers({ ...consoleHeaders({}), 'content-type': file.contentType })
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .send(file.body)
}

/** After a form, makes the browser load the next page by GET. */
export function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 303)
}
