/**
 * The remaining amounts of a mandate, and the check of an amount against them. Decimals are exact. An uncertain amount
 * was never released, so it counts as spent.
 */

import { writtenAmount } from '@financial-agents/contract/minor-units'
import { limitOf } from '@financial-agents/contract/payment-limits'
import type { PaymentLimit } from '@financial-agents/contract/schemas/payment-check'
import { BigNumber } from 'bignumber.js'
import type { MandateRow } from './store.ts'

export type Caps = Pick<
  MandateRow,
  | 'currency'
  | 'per_payment_max'
  | 'daily_max'
  | 'weekly_max'
  | 'monthly_max'
  | 'total_cap'
  | 'payment_count'
  | 'remaining_daily'
  | 'remaining_weekly'
  | 'remaining_monthly'
  | 'remaining_total'
  | 'remaining_payments'
>

const windowed = [
  ['daily_max', 'remaining_daily', 'today'],
  ['weekly_max', 'remaining_weekly', 'this week'],
  ['monthly_max', 'remaining_monthly', 'this month'],
  ['total_cap', 'remaining_total', 'in all'],
] as const

/** Returns the refusal for the client if the amount does not fit: the first limit that refuses, and its remainder. */
export function findExceeded(caps: Caps, amount: string): string | undefined {
  const value = new BigNumber(amount)
  const { currency, per_payment_max, payment_count, remaining_payments } = caps
  const written = (decimal: string) => `${writtenAmount(decimal, currency)} ${currency}`
  if (value.gt(per_payment_max)) return `per_payment_max: at most ${written(per_payment_max)} in one payment.`
  for (const [cap, remaining, when] of windowed)
    if (value.gt(caps[remaining]))
      return `${cap}: of ${written(caps[cap])}, ${written(caps[remaining])} remain ${when}.`
  return remaining_payments > 0 ? undefined : `payment_count: of ${payment_count} payments, none remains.`
}

/** The limits as a check shows them. */
export function limitsOfMandate(caps: Caps, payment: { amount: string; currency: string }): PaymentLimit[] {
  const { currency } = caps
  const amounts = [
    ['mandate_per_payment', caps.per_payment_max, caps.per_payment_max],
    ['mandate_per_day', caps.daily_max, caps.remaining_daily],
    ['mandate_per_week', caps.weekly_max, caps.remaining_weekly],
    ['mandate_per_month', caps.monthly_max, caps.remaining_monthly],
    ['mandate_total', caps.total_cap, caps.remaining_total],
  ] as const
  const count = { maximum: String(caps.payment_count), remaining: String(caps.remaining_payments), currency: null }
  return [
    ...amounts.map(([limit, maximum, remaining]) => limitOf({ limit, currency, maximum, remaining }, payment)),
    limitOf({ limit: 'mandate_payments', ...count }, payment),
  ]
}

/** Returns the limits with the amount reserved as well. */
export function takeFrom<Given extends Caps>(caps: Given, amount: string): Given & { used_up: boolean } {
  const less = (remaining: string) => new BigNumber(remaining).minus(amount).toFixed()
  const remaining_total = less(caps.remaining_total)
  const remaining_payments = caps.remaining_payments - 1
  return {
    ...caps,
    remaining_daily: less(caps.remaining_daily),
    remaining_weekly: less(caps.remaining_weekly),
    remaining_monthly: less(caps.remaining_monthly),
    remaining_total,
    remaining_payments,
    used_up: remaining_total === '0' || remaining_payments === 0,
  }
}
