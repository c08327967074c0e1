/** The list of what waits for the owner: the thing, who asks, until when, and the link on which the owner acts. */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerPayment } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import type { Reader } from '@financial-agents/pages/reader'

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

/** All that waits of one kind. `count`: the number of all of them, of which `items` may hold only a part. */
export type WaitingGroup = { type: Waiting['type']; items: readonly Waiting[]; count: number }

/** If more than this waits, each kind is one line, which opens to its items. */
const mostUnfolded = 3

const countOf = (groups: readonly WaitingGroup[]) => groups.reduce((sum, { count }) => sum + count, 0)

/** One line, for pages on which the owner decides about something else. Undefined if nothing waits. */
export function waitingLine(groups: readonly WaitingGroup[], reader: Reader): Html | undefined {
  const count = countOf(groups)
  if (count === 0) return undefined
  return html`<p class="soft"><a href="${pagePaths.account}">${reader.say('waiting')('besides', { count })}</a></p>`
}

/** Undefined if nothing waits. */
export function waitingList(groups: readonly WaitingGroup[], reader: Reader): Html | undefined {
  const count = countOf(groups)
  if (count === 0) return undefined
  const isFolded = count > mostUnfolded
  return html`<section class="waiting" aria-labelledby="waits"><p id="waits">${reader.say('waiting')('waits', { count })}</p>
<ul>${groups.map((group) => (isFolded && group.count > 1 ? folded(group, reader) : listed(group, reader)))}</ul></section>`
}

function folded(group: WaitingGroup, reader: Reader): Html {
  const { type, items, count } = group
  const say = reader.say('waiting')
  const rest =
    items.length < count ? html`<p class="soft small">${say('shown', { shown: items.length, count })}</p>` : ''
  return html`<li><details><summary>${say(`${type}Many`, { count })}</summary><ul>${listed(group, reader)}</ul>${rest}</details></li>`
}

function listed({ items }: WaitingGroup, reader: Reader): Html {
  const say = reader.say('waiting')
  return html`${items.map(
    (item) =>
      html`<li><div><strong>${say(item.type)}</strong>${about(item, reader)}${
        item.before &&
        html`<div class="soft small">${say.rich(`${item.type}Before`, { moment: reader.timestamp(item.before) })}</div>`
      }</div><a class="button secondary" href="${item.href}">${say(`${item.type}Act`)}</a></li>`,
  )}`
}

function about(item: Waiting, reader: Reader): Html {
  const name = item.clientName === undefined ? '' : html`<div>${foreignName(item.clientName)}</div>`
  if (item.type === 'ending') return html`${name}`
  if (item.type === 'confirmation') return html`<div>${reader.say('confirmActions')(item.action)}</div>${name}`
  const { kind, payment, payee } = item
  return html`<div>${reader.say('kinds')(kind)}${payment && html` · <span class="amount">${amountWords(payment.amount, payment.currency, reader.locale)}</span>`}</div>${
    payee === undefined ? '' : html`<div>${reader.say('waiting').rich('to', { payee: foreignName(payee) })}</div>`
  }${name}`
}
