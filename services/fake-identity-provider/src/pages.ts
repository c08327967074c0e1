/**
 * The pages: the choice of a person, and an error page. A line at the top says that nobody here is real. The pages load
 * nothing, run no script, and show nothing that the request contained.
 */

import { createHash } from 'node:crypto'
import { type Html, html } from '@financial-agents/pages/html'
import { type Person, people } from './people.ts'
import { stylesheet } from './stylesheet.ts'

type PageText = { headers: Record<string, string>; text: string }

const styleDigest = createHash('sha256').update(stylesheet).digest('base64')

/** The policy names the console too, because browsers apply `form-action` to the redirects after a form. */
function headers(formTargets: readonly string[]): Record<string, string> {
  const targets = formTargets.length === 0 ? "'none'" : ["'self'", ...formTargets].join(' ')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

export function signInPage(returnTo: string): PageText {
  const { origin, host } = new URL(returnTo)
  const content = html`<h1>Who is signing in?</h1>
<p>The operators’ console at ${host} asks who you are. Choose one of these invented people; none has a password.</p>
<form method="post">
<ul>
${people.map(choice)}
</ul>
<button name="person" value="">None of them: go back</button>
</form>`
  return { headers: headers([origin]), text: page('Who is signing in?', content) }
}

function choice({ subject, name, groups, about }: Person): Html {
  const list =
    groups.length === 0 ? 'in no group' : `in ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}`
  return html`<li><button name="person" value="${subject}"><strong>${name}</strong> <span>${about}</span> <span>${list}</span></button></li>
`
}

/** Shown if the library refuses a request without a safe redirect, and for unknown addresses. */
export const errorPage = {
  headers: headers([]),
  text: (code: string): string =>
    page(
      'This sign-in cannot go on',
      html`<h1>This sign-in cannot go on</h1>
<p>It is over, began in another browser, or was not asked for correctly (<code>${code}</code>). Start again where you came from.</p>`,
    ),
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Fake identity provider</title>
<style>${stylesheet}</style>
</head>
<body>
<header><p><strong>Fake identity provider.</strong> For development only: invented people, no passwords.</p></header>
<main>
${content}
</main>
</body>
</html>
`.toString()
}
