/**
 * The hosted pages as HTML: which person to be, or why there is nothing to decide. They say on top that nothing here is
 * real, look like no page of ours, work without JavaScript, and load nothing.
 */

import { createHash } from 'node:crypto'
import { type Html, html } from '@financial-agents/pages/html'
import { stylesheet } from './hosted-page-stylesheet.ts'
import { type Persona, personas } from './personas.ts'

export type NoticeState = 'used' | 'expired' | 'unknown'

const styleDigest = createHash('sha256').update(stylesheet).digest('base64')

/**
 * Browsers hold every redirect after a form to `form-action`: the return to the application, and where the application
 * sends its browser on to, which only the application knows. So the page with the form allows any web address.
 */
export function contentSecurityPolicy(kind: 'choice' | 'notice'): string {
  const targets = kind === 'choice' ? "'self' http: https:" : "'none'"
  return `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}

export function choicePage(returnUrl: string, { nothingChosen }: { nothingChosen?: boolean } = {}): string {
  const { host } = new URL(returnUrl)
  const wrong = nothingChosen ? html`<p class="wrong" role="alert">Choose a person before you approve.</p>` : ''
  return page(
    nothingChosen ? 'Error: who are you today?' : 'Who are you today?',
    html`<h1>${host} asks to connect an account</h1>
<p>Choose which of these invented people you are. If you approve, ${host} may read that person's accounts here and send instructions to them.</p>
${wrong}
<form method="post">
<fieldset><legend>Who are you today?</legend>
${personas.map(choice)}
</fieldset>
<div class="actions">
<button name="decision" value="approve">Approve</button>
<button class="second" name="decision" value="decline" formnovalidate>Decline</button>
</div>
</form>`,
  )
}

function choice({ id, name, locale, country, countryName, currency, about }: Persona): Html {
  return html`<label class="persona"><input type="radio" name="persona" value="${id}" required>
<span><span class="name" lang="${locale}">${name}</span> <span>${countryName} (${country}), ${currency}</span>
<span class="about">${about}</span></span></label>
`
}

const notices: { [State in NoticeState]: { title: string; text: string } } = {
  used: {
    title: 'This request has been decided',
    text: 'It can be approved or declined once. To change your mind, start again where you came from.',
  },
  expired: {
    title: 'This request has expired',
    text: 'It was open for ten minutes. Start again where you came from.',
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
export function noticePage(state: NoticeState): string {
  const { title, text } = notices[state]
  return page(title, html`<h1>${title}</h1><p>${text}</p>`)
}

function page(title: string, content: Html): string {
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
