/** The verb `allowance`: the owner's permission to pay one payee within limits (a mandate). */

import { type Amount, amountText } from '../amount.ts'
import type { WriteOptions } from '../call-options.ts'
import type { Resources } from '../generated/methods.ts'
import type { CreateMandateRequest, Mandate } from '../generated/types.ts'
import { timeLeft } from '../time-limit.ts'
import { settled, shown } from './settled.ts'

/** The terms of an allowance. Amounts are in the payee's currency. */
export type AllowanceTerms = {
  /** The payee, or its id. */
  payee: string | { id: string }
  /** The maximum of one payment. */
  perPayment: Amount
  /** The maximum in a UTC day, an ISO week and a month. By default, each equals the next longer one. */
  perDay?: Amount | undefined
  perWeek?: Amount | undefined
  perMonth?: Amount | undefined
  /** The maximum in total. */
  total: Amount
  /** The maximum number of payments, from 1 to 10000. */
  payments: number
  /** The end: at most 365 days ahead. Repeat the intent with the same end. */
  until: Date | string
}

/** An allowance to be asked for. */
export type AllowanceRequest = WriteOptions & AllowanceTerms

/** The mandate that the terms ask for: the body of `agent.mandates.create`. */
export function mandateOf(terms: AllowanceTerms): CreateMandateRequest {
  const { payee, perPayment, total, perMonth = total, perWeek = perMonth, perDay = perWeek, payments, until } = terms
  return {
    beneficiary_id: typeof payee === 'string' ? payee : payee.id,
    per_payment_max: amountText(perPayment),
    daily_max: amountText(perDay),
    weekly_max: amountText(perWeek),
    monthly_max: amountText(perMonth),
    total_cap: amountText(total),
    payment_count: payments,
    expires_at: typeof until === 'string' ? until : until.toISOString(),
  }
}

/**
 * Asks the owner for an allowance, or finds the one that this intent asked for, and waits until it is active.
 *
 * @throws ApiProblem `confirmation_declined`; ClientError `not_settled`, `wait_failed`
 */
export async function allowance(resources: Resources, request: AllowanceRequest): Promise<Mandate> {
  const left = timeLeft(request)
  const inTime = () => ({ ...request, ...left() })
  const operation = await resources.mandates.create(mandateOf(request), inTime())
  const id = await settled(operation, inTime(), 'The allowance')
  return shown((reading) => resources.mandates.get(id, reading), inTime)
}
