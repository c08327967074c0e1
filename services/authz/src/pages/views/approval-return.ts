/**
 * The view for an owner who returns from the provider's approval page. Everybody gets the same text: see
 * approval-return.ts.
 */

import { html } from '@financial-agents/pages/html'
import type { View } from './view.ts'

export function approvalReturnView(): View {
  return {
    page: {
      title: 'You are back from your provider',
      lead: 'We ask your provider what you decided there.',
      main: html`<p>Go back to your application: we tell it what became of this when it asks. You can close this page.</p>
<p>If you have not decided yet, the application has the address of your provider’s page for as long as there is time.</p>`,
    },
  }
}
