/** The header for a signed-in owner: the ways between the owner's pages, and the sign-out button. */

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

/** The links between the owner's pages. */
export function ownerWays(): Html {
  return html`<nav class="ways" aria-label="Your pages"><div class="bar"><ul><li><a href="${pagePaths.account}">Your account</a></li><li><a href="${pagePaths.accountActivity}">Activity</a></li></ul></div></nav>`
}
