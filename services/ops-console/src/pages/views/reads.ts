/** Every read of an operation at the provider: when, by which read, and what the provider said, in safe words. */

import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import { exactly } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { resultWords } from '../words.ts'

export function readTable({ count, not_found, items, late_answer }: OperatorOperationDetail['reads']): Html {
  const late = late_answer
    ? html`<p>The answer to the submission came late, at ${exactly(new Date(late_answer.observed_at))}: <code>${late_answer.outcome}</code>.</p>`
    : ''
  if (items.length === 0) return html`${late}<p class="none">${texts.reads.none}</p>`
  const rows = items.map(
    ({ read, result, observed_at, digest }, index) =>
      html`<tr data-key="${count - index}"><th scope="row">${exactly(new Date(observed_at))}</th><td data-label="Read"><code>${read}</code></td>
<td data-label="The provider">${resultWords[result] ?? 'answered'} (<code>${result}</code>)</td><td data-label="Digest"><span class="id">${digest.slice(0, 12)}…</span></td></tr>`,
  )
  return html`${late}<p>${count} ${count === 1 ? 'read' : 'reads'}, ${not_found} of which did not find it.${count > items.length ? ` The newest ${items.length} are listed.` : ''}</p>
<table class="list dense"><caption class="hidden">Reads at the provider, newest first</caption><thead><tr><th scope="col">When</th><th scope="col">Read</th><th scope="col">The provider</th><th scope="col">Digest</th></tr></thead><tbody>${rows}</tbody></table>`
}
