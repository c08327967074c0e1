/** The owner is back from the provider's approval page. One text for everybody: see approval-return.ts. */

import { html } from '@financial-agents/pages/html'
import type { View } from './view.ts'

export function approvalReturnView(): View {
  return {
    page: {
      title: 'You are back from your provider',
      lead: 'Whatever you decided there is recorded at your provider.',
      main: html`<p>Go back to your application: it learns by itself what you decided. You can close this page.</p>
<p>If you have not decided yet, the application shows the way to your provider’s page again for as long as there is time.</p>`,
    },
  }
}
