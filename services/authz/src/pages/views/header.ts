/** The end of the header for a signed-in owner: the sign-out button. */

import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { form } from '@financial-agents/pages/parts'

export function headerEnd(hidden: Readonly<Record<string, string>>, ownerName?: string | null): Html {
  return html`<div class="who">${ownerName ? html`<span>${ownerName}</span>` : ''}${form({
    action: pagePaths.signOut,
    hidden,
    body: html`<button type="submit" class="quiet">Sign out</button>`,
  })}</div>`
}
