/** The limits of a payment, as a check shows them to its client. */

import type { Ceilings } from './ceilings.ts'
import { compareDecimals, subtractDecimals } from './decimals.ts'
import { writtenAmount } from './minor-units.ts'
import type { PaymentLimit } from './schemas/payment-check.ts'

type Money = { amount: string; currency: string }
type Limit = Pick<PaymentLimit, 'limit' | 'currency' | 'maximum' | 'remaining'>

/** Adds what the payment would leave. A limit without a currency counts payments. */
export function limitOf({ limit, currency, maximum, remaining }: Limit, payment: Money): PaymentLimit {
  const amount = currency === null ? '1' : payment.amount
  const fits = (currency ?? payment.currency) === payment.currency && compareDecimals(amount, remaining) <= 0
  const written = (decimal: string) => (currency === null ? decimal : writtenAmount(decimal, currency))
  return {
    limit,
    currency,
    maximum: written(maximum),
    remaining: written(remaining),
    remaining_after: fits ? written(subtractDecimals(remaining, amount)) : null,
  }
}

/** The limits of a grant. `reserved`: what the day's payments in the payment's currency amount to. */
export function limitsOfGrant({ per_payment, per_day }: Ceilings, payment: Money, reserved: string): PaymentLimit[] {
  const limits = [
    { limit: 'grant_per_payment', ceiling: per_payment, used: '0' },
    { limit: 'grant_per_day', ceiling: per_day, used: per_day?.currency === payment.currency ? reserved : '0' },
  ] as const
  return limits.flatMap(({ limit, ceiling, used }) => {
    if (ceiling === null) return []
    const { amount: maximum, currency } = ceiling
    const remaining = compareDecimals(used, maximum) < 0 ? subtractDecimals(maximum, used) : '0'
    return [limitOf({ limit, currency, maximum, remaining }, payment)]
  })
}
