/** The navigation between the console's pages. */

import { type Html, html } from '@financial-agents/pages/html'
import { paths } from '../links.ts'

const names = {
  overview: 'Overview',
  operations: 'Operations',
  provider: 'Provider',
  grants: 'Grants',
  audit: 'Audit',
} as const

export type Way = keyof typeof names

/** `current` is the part of the console that contains the page; `searched` the text of the search that led to it. */
export function ways(current?: Way, searched = ''): Html {
  const items = (Object.keys(names) as Way[]).map(
    (way) =>
      html`<li><a href="${paths[way]}"${way === current ? html` aria-current="true"` : ''}>${names[way]}</a></li>`,
  )
  return html`<nav class="ways" aria-label="Console"><div class="bar"><ul>${items}</ul>
<form method="get" action="${paths.search}" class="search" role="search" aria-label="Search by any id"><label class="hidden" for="q">Any id</label><input type="text" id="q" name="q" value="${searched}" placeholder="Any id" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false"><button type="submit" class="secondary">Search</button></form></div></nav>`
}
