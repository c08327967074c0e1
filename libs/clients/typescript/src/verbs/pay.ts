/** The verb `pay`: one payment, once. */

import { type Amount, amountText } from '../amount.ts'
import type { WriteOptions } from '../call-options.ts'
import { ClientError } from '../client-error.ts'
import type { Resources } from '../generated/methods.ts'
import type { Outcome } from '../outcome.ts'
import { timeLeft } from '../time-limit.ts'

/** A payment: to a payee from the spending account, or under an allowance. */
export type PayRequest = WriteOptions & {
  /** The payee, or its id. */
  payee?: string | { id: string }
  /** The allowance, or its id, instead of a payee. */
  allowance?: string | { id: string }
  /** No finer than the currency's smallest unit: `12.50`. */
  amount: Amount
  /** ISO 4217. */
  currency: string
  /** The text that the payee reads: the memo of a withdrawal, the reference of a payment under an allowance. */
  reference?: string
}

/**
 * Pays once per intent, and waits for the outcome: up to `timeoutMs` in all, by default 60 s once it is accepted. Repeat it with the same intent as often as you like: the same payment is found.
 *
 * @throws ApiProblem if the API refuses the payment; ClientError as every write, or `wait_failed` if an error ended the wait
 * for an accepted payment, which goes on. `submissionUncertain` true on either: the payment may have been accepted, so
 * repeat it with the same intent
 */
export async function pay(resources: Resources, request: PayRequest): Promise<Outcome> {
  const { payee, allowance, currency, reference, ...options } = request
  const left = timeLeft(request)
  const amount = amountText(request.amount)
  if ((payee === undefined) === (allowance === undefined))
    throw new ClientError('invalid_use', 'Give a payee or an allowance.')
  const operation =
    allowance === undefined
      ? await resources.spending.pay(
          { beneficiary_id: idOf(payee), amount, currency, ...(reference === undefined ? {} : { memo: reference }) },
          options,
        )
      : await resources.mandates.pay(
          idOf(allowance),
          { amount, currency, ...(reference === undefined ? {} : { reference }) },
          options,
        )
  return operation.wait({ ...(options.signal && { signal: options.signal }), ...left() })
}

function idOf(given: string | { id: string } | undefined): string {
  return typeof given === 'object' ? given.id : (given ?? '')
}
