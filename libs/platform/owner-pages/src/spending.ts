/** The payments of an application, as the limits count them. */

import type { OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { type Html, html } from '@financial-agents/pages/html'
import { share } from '@financial-agents/pages/plot'
import type { Reader } from '@financial-agents/pages/reader'
import type { GrantOfOwner } from './grant-of-owner.ts'

/** Explains how the sums are counted. A page shows it once. */
export function sumsNote(reader: Reader): string {
  return reader.say('spending')('note')
}

/** The sums of one application: today, this month and in all, for each currency. */
export function sums(spending: readonly OwnerSpending[], reader: Reader): Html {
  const say = reader.say('spending')
  const words = (amount: string, currency: string) => amountWords(amount, currency, reader.locale)
  if (spending.length === 0) return html`<p class="soft">${say('nothing')}</p>`
  return html`${spending.map(
    ({ currency, today, month, total, under_way }) =>
      html`<div class="sums"><div>${say('today')}<strong>${words(today, currency)}</strong></div><div>${say('month')}<strong>${words(month, currency)}</strong></div><div>${say('all')}<strong>${words(total, currency)}</strong></div></div>${under_way === '0' ? '' : html`<p class="soft small">${say('underWay', { amount: words(under_way, currency) })}</p>`}`,
  )}`
}

/** The day's limit of an application with the part that is used; empty if there is none. */
export function dayLimit({ policy }: GrantOfOwner, spending: readonly OwnerSpending[], reader: Reader): Html | string {
  const limit = policy.ceilings.per_day
  if (!limit) return ''
  const today = spending.find(({ currency }) => currency === limit.currency)?.today ?? '0'
  const words = (amount: string) => amountWords(amount, limit.currency, reader.locale)
  const used = reader.say('spending').rich('used', { part: words(today), limit: words(limit.amount) })
  return html`<div>${used}${share(Number(today), Number(limit.amount))}</div>`
}
