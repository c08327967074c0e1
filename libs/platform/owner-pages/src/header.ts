/** The header for a signed-in owner: the ways between the owner's pages, and the sign-out button. */

import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { form } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'

export function headerEnd(hidden: Readonly<Record<string, string>>, reader: Reader): Html {
  return html`<div class="who">${form({
    action: pagePaths.signOut,
    hidden,
    body: html`<button type="submit" class="quiet">${reader.say('header')('signOut')}</button>`,
  })}</div>`
}

/** The links between the owner's pages, and the way to stop everything, which no list may push down. */
export function ownerWays(reader: Reader): Html {
  const say = reader.say('header')
  return html`<nav class="ways" aria-label="${say('ways')}"><div class="bar"><ul><li><a href="${pagePaths.account}">${say('account')}</a></li><li><a href="${pagePaths.accountActivity}">${say('activity')}</a></li><li><a href="${pagePaths.accountDisconnect}">${say('stop')}</a></li></ul></div></nav>`
}
