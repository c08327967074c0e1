/** The sign-in page: one button, which leads to the organisation's own sign-in. */

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
