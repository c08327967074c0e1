/** Operations as rows of a list: kind, state, client and owner, age, and the time of the next read. */

import { kindFacts } from '@financial-agents/contract/kinds'
import { isTerminal } from '@financial-agents/contract/machine'
import type { OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import { status } from '@financial-agents/pages/parts'
import { distance, duration, exactly } from '@financial-agents/pages/times'
import { failureCode, grantsPath, operationPath, operationsPath } from '../links.ts'
import { stateWords } from '../words.ts'

export type ListedOperation = Omit<
  OperatorOperation,
  'submission_uncertain' | 'resource_id' | 'resource_type' | 'upstream_reference' | 'failure_detail'
>

export type OperationTable = {
  operations: readonly ListedOperation[]
  publicUrl: string
  now: Date
  /** The text for an empty list. */
  none: string
  caption: string
  /** The rows beyond this number are folded, and a phone shows each row in brief. */
  brief?: number
}

export function operationTable({ operations, none, caption, brief, ...around }: OperationTable): Html {
  if (operations.length === 0) return html`<p class="none">${none}</p>`
  if (brief === undefined) return table({ ...around, operations, caption, style: 'list' })
  const rest = operations.slice(brief)
  const folded =
    rest.length > 0 && table({ ...around, operations: rest, caption: `${caption}, continued`, style: 'list short' })
  return html`${table({ ...around, operations: operations.slice(0, brief), caption, style: 'list short' })}
${folded ? html`<details id="${caption.toLowerCase().replaceAll(' ', '-')}-more"><summary>${rest.length} more</summary>${folded}</details>` : ''}`
}

type Table = Pick<OperationTable, 'operations' | 'publicUrl' | 'now' | 'caption'> & { style: string }

function table({ operations, publicUrl, now, caption, style }: Table): Html {
  return html`<table class="${style}"><caption class="hidden">${caption}</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">State</th><th scope="col">Client and owner</th><th scope="col">Age</th><th scope="col">Next read</th></tr></thead>
<tbody>${operations.map((operation) => row(operation, publicUrl, now))}</tbody></table>`
}

function row(operation: ListedOperation, publicUrl: string, now: Date): Html {
  const { id, kind, client, subject, created_at, age_seconds, payment } = operation
  return html`<tr data-key="${id}"><th scope="row"><a href="${operationPath(id)}">${kindFacts[kind].operatorWord}</a>${payment ? html` <span class="amount">${payment.amount} ${payment.currency}</span>` : ''}<br><span class="id">${id}</span></th>
<td>${stateOf(operation, publicUrl)}</td>
<td data-label="Client"><a href="${operationsPath({ client_id: client.id })}">${client.name}</a><br><a class="id" href="${grantsPath({ client_id: client.id, subject })}">${subject}</a></td>
<td data-label="Age">${age_seconds < 1 ? 'Under 1 s' : duration(age_seconds * 1_000)}<p class="small">${exactly(new Date(created_at))}</p></td>
<td data-label="Next read">${nextRead(operation, now)}</td></tr>`
}

function stateOf({ state, review, review_reason, failure_code }: ListedOperation, publicUrl: string): Html {
  const { tone, word } = stateWords[state]
  return html`${status(tone, word)}${
    review ? html`<br>${status('warning', 'Under review')}<p>${review_reason}</p>` : ''
  }${failure_code ? html`<p>${failureCode(failure_code, publicUrl)}</p>` : ''}`
}

function nextRead({ state, next_reconcile_at }: ListedOperation, now: Date): Html | string {
  if (next_reconcile_at !== null) return distance(new Date(next_reconcile_at), now)
  return isTerminal(state) ? 'None: final' : 'None planned'
}
