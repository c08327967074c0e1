/**
 * What all hosted pages have: the frame, the headers, and why there is nothing to decide. They say on top that nothing
 * here is real, look like no page of ours, work without JavaScript, and load nothing.
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
 * Browsers hold every redirect after a form to `form-action`: the return to the application, and where the application
 * sends its browser on to, which only the application knows. So the page with the form allows any web address.
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
 * Never with a way back: whoever started a request and had somebody else decide it would read it here, and end the
 * sign-in of that person in a browser of their own. Only the browser that decides is sent back.
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

/** Sends the browser in which it was decided back, or thanks where there is nowhere to go. */
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

/** Terms and what they are. */
export function facts(rows: readonly (readonly [string, string])[]): Html {
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}
