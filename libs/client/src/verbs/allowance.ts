/** The verb `allowance`: the owner's leave to pay one payee within limits (a mandate). */

import type { WriteOptions } from '../call-options.ts'
import type { Resources } from '../generated/methods.ts'
import type { Mandate } from '../generated/types.ts'
import type { WaitOptions } from '../outcome.ts'
import { settled, shown } from './settled.ts'

/** An allowance to be asked for. Amounts are decimal strings in the payee's currency. */
export type AllowanceRequest = WriteOptions &
  Pick<WaitOptions, 'timeoutMs'> & {
    /** The payee, or its id. */
    payee: string | { id: string }
    /** The maximum of one payment. */
    perPayment: string
    /** The maximum in a UTC day, an ISO week and a month. Each is `total` if it is left out. */
    perDay?: string
    perWeek?: string
    perMonth?: string
    /** The maximum in total. */
    total: string
    /** The maximum number of payments, from 1 to 10000. */
    payments: number
    /** The end: at most 365 days ahead. Repeat the intent with the same end. */
    until: Date | string
  }

/**
 * Asks the owner for an allowance, or finds the one that this intent asked for, and waits until it is active.
 *
 * @throws ApiProblem `confirmation_declined`; ClientError `not_settled`
 */
export async function allowance(resources: Resources, request: AllowanceRequest): Promise<Mandate> {
  const {
    payee,
    perPayment,
    total,
    perMonth = total,
    perWeek = perMonth,
    perDay = perWeek,
    payments,
    until,
    timeoutMs,
    ...options
  } = request
  const operation = await resources.mandates.create(
    {
      beneficiary_id: typeof payee === 'string' ? payee : payee.id,
      per_payment_max: perPayment,
      daily_max: perDay,
      weekly_max: perWeek,
      monthly_max: perMonth,
      total_cap: total,
      payment_count: payments,
      expires_at: typeof until === 'string' ? until : until.toISOString(),
    },
    options,
  )
  const id = await settled(operation, { ...options, timeoutMs }, 'The allowance')
  return shown(() => resources.mandates.get(id, options), options.signal)
}
