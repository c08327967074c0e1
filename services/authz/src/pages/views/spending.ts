/** The payments of an application, as the limits count them. */

import type { OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { type Html, html } from '@financial-agents/pages/html'
import { share } from '@financial-agents/pages/plot'
import type { GrantOfOwner } from '../../store/owner-grants.ts'

/** Says how the sums count. Once on a page. */
export const sumsNote = 'What is under way counts as paid. Days and months begin at midnight UTC.'

/** The sums of one application: today, this month and in all, for each currency. */
export function sums(spending: readonly OwnerSpending[]): Html {
  if (spending.length === 0) return html`<p class="soft">It has paid nothing.</p>`
  return html`${spending.map(
    ({ currency, today, month, total, under_way }) =>
      html`<div class="sums"><div>Today<strong>${amountWords(today, currency)}</strong></div><div>This month<strong>${amountWords(month, currency)}</strong></div><div>In all<strong>${amountWords(total, currency)}</strong></div></div>${under_way === '0' ? '' : html`<p class="soft small">${amountWords(under_way, currency)} of it is under way.</p>`}`,
  )}`
}

/** The day's limit of an application with the part that is used; empty if there is none. */
export function dayLimit({ policy }: GrantOfOwner, spending: readonly OwnerSpending[]): Html | string {
  const limit = policy.ceilings.per_day
  if (!limit) return ''
  const today = spending.find(({ currency }) => currency === limit.currency)?.today ?? '0'
  return html`<div><strong>${amountWords(today, limit.currency)}</strong> used of ${amountWords(limit.amount, limit.currency)} a day (UTC)${share(Number(today), Number(limit.amount))}</div>`
}
