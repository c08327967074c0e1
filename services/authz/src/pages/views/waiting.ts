/** The list of what waits for the owner: the thing, who asks, until when, and the link on which the owner acts. */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerPayment } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { moment } from '@financial-agents/pages/parts'
import { actionWords } from './confirm.ts'

type Common = {
  /** Undefined for an act of the owner on the pages. */
  clientName: string | undefined
  before: Date | null
  href: string
}

export type Waiting = Common &
  (
    | { type: 'confirmation'; action: OwnerIntent['action'] }
    | { type: 'approval' | 'uncertain'; kind: OperationKind; payment: OwnerPayment | null; payee: string | undefined }
    | { type: 'ending' }
  )

const words: { readonly [T in Waiting['type']]: { what: string; before: string; act: string } } = {
  confirmation: { what: 'An application asks you to confirm', before: 'Decide before', act: 'Read and decide' },
  approval: { what: 'Your provider asks for your approval', before: 'Approve before', act: 'Go to your provider' },
  uncertain: { what: 'It is not known yet whether this was paid', before: '', act: 'See how far it is' },
  ending: { what: 'Access that ends soon', before: 'Ends', act: 'See what it may do' },
}

/** One line, for pages on which the owner decides about something else. Undefined if nothing waits. */
export function waitingLine(items: readonly Waiting[]): Html | undefined {
  if (items.length === 0) return undefined
  return html`<p class="soft"><a href="${pagePaths.account}">Waits for you besides (${items.length})</a></p>`
}

/** Undefined if nothing waits. */
export function waitingList(items: readonly Waiting[], timezone: string | undefined): Html | undefined {
  if (items.length === 0) return undefined
  return html`<section class="waiting" aria-labelledby="waits"><p id="waits">Waits for you (${items.length})</p>
<ul>${items.map((item) => {
    const { what, before, act } = words[item.type]
    return html`<li><div><strong>${what}</strong>${about(item)}${
      item.before && html`<div class="soft small">${before} ${moment(item.before, timezone)}</div>`
    }</div><a class="button secondary" href="${item.href}">${act}</a></li>`
  })}</ul></section>`
}

function about(item: Waiting): Html {
  const name = item.clientName === undefined ? '' : html`<div>${foreignName(item.clientName)}</div>`
  if (item.type === 'ending') return html`${name}`
  if (item.type === 'confirmation') return html`<div>${actionWords[item.action]}</div>${name}`
  const { kind, payment, payee } = item
  return html`<div>${kindWords[kind].owner}${payment && html` · <span class="amount">${amountWords(payment.amount, payment.currency)}</span>`}</div>${
    payee === undefined ? '' : html`<div>To ${foreignName(payee)}</div>`
  }${name}`
}
