/**
 * Validates the payments of one batch by the remaining limits of their days, one offer after another. The days stay
 * locked until the transaction ends, so nothing else is reserved in them meanwhile.
 *
 * Invariant: a limit has one row for each owner, client, currency and day. Withdrawals and transfers under mandates
 * share the row.
 */

import type { Payment } from '@financial-agents/bus/messages/operations'
import { findExceeded } from '@financial-agents/contract/ceilings'
import type { Queryable } from '@financial-agents/postgres/database'
import { generatedAtMs } from '@financial-agents/runtime/generated-at'
import { BigNumber } from 'bignumber.js'
import type { Offer } from '../offer.ts'
import { type CeilingDay, lockCeilingDays } from '../store/ceiling-days.ts'
import { listPayments } from '../store/transfers.ts'
import type { Refused } from '../validate.ts'

/** Formats the UTC day, for example `2026-11-20`. */
export function utcDayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/**
 * The ids of offered operations whose payments `recover` has reserved: their requests were accepted in a time that the database
 * lost, and are repeated.
 */
export async function findReserved(
  tx: Queryable,
  offers: readonly Offer[],
  recoveryPoint: Date | undefined,
): Promise<ReadonlySet<string>> {
  const ids = offers.flatMap(({ request: { operation_id, payment } }) =>
    payment && recoveryPoint && generatedAtMs(operation_id) < recoveryPoint.getTime() ? [operation_id] : [],
  )
  if (ids.length === 0) return new Set()
  return new Set((await listPayments(tx, ids)).map(({ operation_id }) => operation_id))
}

/** Returns the offers that exceed their day. Offers without a payment cost nothing. */
export async function validatePayments(
  tx: Queryable,
  offers: readonly Offer[],
  now: Date,
): Promise<Map<Offer, Refused>> {
  const refusals = new Map<Offer, Refused>()
  const day = utcDayOf(now)
  const paying = offers.flatMap((offer) => {
    const { payment } = offer.request
    return payment ? [{ offer, payment, place: placeOf(offer, payment.currency, day) }] : []
  })
  const places = new Map(paying.map(({ place }) => [nameOf(place), place]))
  const days = await lockCeilingDays(tx, [...places.values()])
  const reserved = new Map(days.map((row) => [nameOf(row), new BigNumber(row.reserved)]))
  const takers = new Map<string, Offer[]>()
  for (const { offer, payment, place } of paying) {
    const name = nameOf(place)
    const before = reserved.get(name)
    if (before === undefined) throw new Error('a day was not locked')
    const detail = findRefusal(payment, before)
    const rivals = takers.get(name) ?? []
    if (detail !== undefined) {
      refusals.set(offer, { refusal: { code: 'grant_ceiling_exceeded', detail }, rivals })
    } else {
      reserved.set(name, before.plus(payment.amount))
      takers.set(name, [...rivals, offer])
    }
  }
  return refusals
}

/** The refusal for the client if the payment does not fit beside the day's reservations. */
export function findRefusal(
  { ceilings, amount, currency }: Pick<Payment, 'ceilings' | 'amount' | 'currency'>,
  reserved: BigNumber,
): string | undefined {
  const remains = BigNumber.max(0, new BigNumber(ceilings.per_day?.amount ?? 0).minus(reserved))
  const reach = { currency, per_payment: amount, per_day: reserved.plus(amount).toFixed() }
  return findExceeded(ceilings, reach, remains.toFixed())
}

function placeOf({ owner_id, client_id }: Offer, currency: string, day: string): CeilingDay {
  return { owner_id, client_id, currency, day }
}

function nameOf({ owner_id, client_id, currency }: CeilingDay): string {
  return JSON.stringify([owner_id, client_id, currency])
}
