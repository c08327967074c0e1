/** The sign-in page: one button, which leads to the organisation's own sign-in. */

import { html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { button, form, notice } from '@financial-agents/pages/parts'

export function signInView(given: { hidden: Readonly<Record<string, string>>; isSignedOut: boolean }): Page {
  return {
    title: 'Operators’ console',
    lead: 'Sign in with your organisation to see what is unsettled, and why.',
    wide: false,
    // The header has no sign-in link, because the button is below.
    headerEnd: html``,
    notice: given.isSignedOut ? notice('neutral', 'You are signed out.') : undefined,
    main: html`${form({
      action: '/ops/sign-in',
      hidden: given.hidden,
      body: html`<div class="actions">${button('primary', 'Sign in')}</div>`,
    })}`,
  }
}
