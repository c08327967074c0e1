/** The navigation between the console's pages. */

import { type Html, html } from '@financial-agents/pages/html'
import { paths } from '../links.ts'

const names = {
  overview: 'Overview',
  operations: 'Operations',
  grants: 'Grants',
  audit: 'Audit',
} as const

export type Way = keyof typeof names

/** `current` is the part of the console that contains the page. */
export function ways(current?: Way): Html {
  const items = (Object.keys(names) as Way[]).map(
    (way) =>
      html`<li><a href="${paths[way]}"${way === current ? html` aria-current="true"` : ''}>${names[way]}</a></li>`,
  )
  return html`<nav class="ways" aria-label="Console"><div class="bar"><ul>${items}</ul></div></nav>`
}
