/**
 * The view for an owner who returns from the provider's approval page. Everybody gets the same text: see
 * approval-return.ts.
 */

import { html } from '@financial-agents/pages/html'
import type { Reader } from '@financial-agents/pages/reader'
import type { View } from './view.ts'

export function approvalReturnView(reader: Reader): View {
  const say = reader.say('approvalReturn')
  return {
    page: {
      reader,
      title: say('title'),
      lead: say('lead'),
      main: html`<p>${say('goBack')}</p>
<p>${say('notYet')}</p>`,
    },
  }
}
