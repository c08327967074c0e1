/** Handles every page's request: reads its form, refuses forged forms, and answers with a view. */

import { refusals } from '@financial-agents/owner-pages/refusal'
import { renderView, type View } from '@financial-agents/owner-pages/view'
import type { LanguageLink } from '@financial-agents/pages/page'
import { isForeignForm } from '@financial-agents/pages/tunnel/foreign-form'
import { languageParameter } from '@financial-agents/pages/tunnel/language-choice'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BrowserSession } from '../browser/browser-session.ts'
import type { CsrfOwner, PageTools } from './page-tools.ts'
import type { Readers } from './readers.ts'

/** The name of the hidden field in every form. */
const csrfField = 'csrf_token'

/** Enough for a box for each mandate and application that an owner allowed, and all other fields. */
const maxFields = 1_000

export type Form = Readonly<Record<string, string>>

/** Returns the fields of a form, each once. @throws PageRefusal */
function readForm(request: FastifyRequest): Form {
  const { body } = request
  if (!(body instanceof URLSearchParams)) throw refusals.badForm(415)
  const names = [...body.keys()]
  if (new Set(names).size !== names.length || names.length > maxFields) throw refusals.badForm()
  return Object.fromEntries(body)
}

/**
 * Refuses a form unless our page in this browser sent it. It checks the token and, if the browser sends them, the
 * headers that tell the form's origin.
 * @throws PageRefusal
 */
export function checkForm(
  request: FastifyRequest,
  { csrf, baseUrl }: Pick<PageTools, 'csrf' | 'baseUrl'>,
  [owner, id]: readonly [CsrfOwner, string],
): Form {
  if (isForeignForm(request.headers, baseUrl)) throw refusals.forgedForm()
  const form = readForm(request)
  if (!csrf.holds(form[csrfField], owner, id)) throw refusals.forgedForm()
  return form
}

export function hiddenToken({ csrf }: Pick<PageTools, 'csrf'>, owner: CsrfOwner, id: string): Record<string, string> {
  return { [csrfField]: csrf.token(owner, id) }
}

/** Returns the session of the owner who sends a form. @throws PageRefusal if nobody is signed in */
export async function getSession({ sessions }: PageTools, request: FastifyRequest): Promise<BrowserSession> {
  const session = await sessions.find(request, 'use')
  if (!session) throw refusals.signedOut()
  return session
}

export function sendView(
  reply: FastifyReply,
  view: View,
  { environment, branding, readers }: Pick<PageTools, 'environment' | 'branding' | 'readers'>,
): FastifyReply {
  readers.keep(reply, view.page.reader.language)
  const { status, headers, body } = renderView(view, { environment, branding }, languageLinks(reply.request, readers))
  return reply.code(status).headers(headers).send(body)
}

/**
 * Only an address that shows a page can show it in another language. The links contain nothing of the request, so a
 * page that says the same to everybody stays the same.
 */
function languageLinks({ method }: FastifyRequest, { languages }: Readers): LanguageLink[] {
  if (method !== 'GET') return []
  return languages.map((language) => ({ language, href: `?${languageParameter}=${language}` }))
}

/** After a form, makes the browser load the next page by GET. */
export function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 303)
}
