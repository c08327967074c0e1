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
  const used = per_day?.currency === payment.currency ? reserved : '0'
  const left = per_day && (compareDecimals(used, per_day.amount) < 0 ? subtractDecimals(per_day.amount, used) : '0')
  const show = (limit: Limit['limit'], ceiling: Money | null, remaining: string | null | undefined) =>
    ceiling === null
      ? []
      : [
          limitOf(
            { limit, currency: ceiling.currency, maximum: ceiling.amount, remaining: remaining ?? ceiling.amount },
            payment,
          ),
        ]
  return [...show('grant_per_payment', per_payment, per_payment?.amount), ...show('grant_per_day', per_day, left)]
}
