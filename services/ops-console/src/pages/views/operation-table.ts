/** Operations as rows of a list: kind, state, client and owner, age, and the time of the next read. */

import type { OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { isTerminal } from '@financial-agents/operation-machine/machine'
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
}

export function operationTable({ operations, publicUrl, now, none, caption }: OperationTable): Html {
  if (operations.length === 0) return html`<p class="none">${none}</p>`
  return html`<table class="list"><caption class="hidden">${caption}</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">State</th><th scope="col">Client and owner</th><th scope="col">Age</th><th scope="col">Next read</th></tr></thead>
<tbody>${operations.map((operation) => row(operation, publicUrl, now))}</tbody></table>`
}

function row(operation: ListedOperation, publicUrl: string, now: Date): Html {
  const { id, kind, client, subject, created_at, age_seconds, payment } = operation
  return html`<tr data-key="${id}"><th scope="row"><a href="${operationPath(id)}">${kindWords[kind].operator}</a>${payment ? html` <span class="amount">${payment.amount} ${payment.currency}</span>` : ''}<br><span class="id">${id}</span></th>
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
