/** The sign-in page: one button, which leads to the organisation's own sign-in, over a page that continues by itself. */

import { html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { button, form, notice } from '@financial-agents/pages/parts'
import texts from '../../../messages/en.json' with { type: 'json' }

export function signInView(given: { hidden: Readonly<Record<string, string>>; isSignedOut: boolean }): Page {
  return {
    title: 'Operators’ console',
    lead: texts.signIn.lead,
    wide: false,
    // The header has no sign-in link, because the button is below.
    headerEnd: html``,
    notice: given.isSignedOut ? notice('neutral', texts.signIn.signedOut) : undefined,
    main: html`${form({
      action: '/ops/sign-in',
      hidden: given.hidden,
      body: html`<div class="actions">${button('primary', 'Sign in')}</div>`,
    })}`,
  }
}

/**
 * The page before the organisation's own sign-in. Browsers apply the page's policy to every redirect after a form, and
 * the sign-in may redirect through any number of hosts. So this page comes first and continues by itself.
 */
export function onTheWayView(url: string): Page {
  return {
    title: 'On the way to your organisation’s sign-in',
    wide: false,
    headerEnd: html``,
    refreshTo: url,
    main: html`<div class="actions"><a class="button primary" href="${url}">Go on</a></div>`,
  }
}
