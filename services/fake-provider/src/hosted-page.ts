/**
 * The common parts of hosted pages: the frame, the headers, and the notices for pages without a decision. A line at the
 * top says that nothing here is real. The pages resemble none of the API's own pages, work without JavaScript, and load
 * nothing.
 */

import { createHash } from 'node:crypto'
import { type Html, html } from '@financial-agents/pages/html'
import type { FastifyReply } from 'fastify'
import { stylesheet } from './hosted-page-stylesheet.ts'

export type NoticeState = 'done' | 'used' | 'expired' | 'unknown'

/** A choice has a form; a notice has none. */
type PageKind = 'choice' | 'notice'

const styleDigest = createHash('sha256').update(stylesheet).digest('base64')

/**
 * Browsers apply `form-action` to every redirect after a form. The redirects lead to the application, and from there to
 * an address that only the application knows. The page with the form therefore allows any web address.
 */
function contentSecurityPolicy(kind: PageKind): string {
  const targets = kind === 'choice' ? "'self' http: https:" : "'none'"
  return `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

const notices: { [State in NoticeState]: { title: string; text: string } } = {
  done: {
    title: 'Thank you, that was all',
    text: 'You can close this page and go back to where you came from.',
  },
  used: {
    title: 'This request has been decided',
    text: 'It can be approved or declined once. To change your mind, start again where you came from.',
  },
  expired: {
    title: 'This request has expired',
    text: 'It was open for a short while only. Start again where you came from.',
  },
  unknown: {
    title: 'There is no such request',
    text: 'The address is incomplete, or the request is long over. Start again where you came from.',
  },
}

/**
 * A notice never has a link back. Otherwise a person who started a sign-in, and let somebody else decide it, could read
 * the return address here and complete that other person's sign-in. Only the browser that decides is sent back.
 */
function noticePage(state: NoticeState): string {
  const { title, text } = notices[state]
  return page(title, html`<h1>${title}</h1><p>${text}</p>`)
}

export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Fake provider</title>
<style>${stylesheet}</style>
</head>
<body>
<header><p><strong>Fake provider.</strong> For development only: invented people, no real money.</p></header>
<main>
${content}
</main>
</body>
</html>
`.toString()
}

const noticeStatus: { readonly [State in NoticeState]: number } = { done: 200, used: 410, expired: 410, unknown: 404 }

export function sendNotice(reply: FastifyReply, state: NoticeState): FastifyReply {
  return secure(reply, 'notice').code(noticeStatus[state]).send(noticePage(state))
}

export function sendPage(reply: FastifyReply, kind: PageKind, status: number, text: string): FastifyReply {
  return secure(reply, kind).code(status).send(text)
}

/** Redirects the deciding browser to the application. Shows thanks if there is no return address. */
export function sendBack(reply: FastifyReply, returnUrl: string | null): FastifyReply {
  return returnUrl === null ? sendNotice(reply, 'done') : secure(reply, 'notice').redirect(returnUrl, 303)
}

function secure(reply: FastifyReply, kind: PageKind): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': contentSecurityPolicy(kind),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}

export function facts(rows: readonly (readonly [string, string])[]): Html {
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}
