/**
 * Checks the remaining limit of the day for a payment that nobody has offered yet: before an owner is asked to confirm it, and for a
 * client that only asks. The read takes no lock. It can refuse, but only acceptance reserves.
 */

import type { CheckPaymentRequest, CheckPaymentResponse } from '@financial-agents/bus/messages/operations'
import { Problem } from '@financial-agents/contract/problem'
import type { Queryable } from '@financial-agents/postgres/database'
import { BigNumber } from 'bignumber.js'
import { readReserved } from '../store/ceiling-days.ts'
import { findRefusal, utcDayOf } from './validate-payments.ts'

/** @throws Problem grant_ceiling_exceeded */
export async function checkRoom(db: Queryable, payment: CheckPaymentRequest, now: Date): Promise<void> {
  if (payment.ceilings.per_day === null) return
  const { detail } = await findRoom(db, payment, now)
  if (detail !== null) throw new Problem('grant_ceiling_exceeded', { detail })
}

export async function findRoom(db: Queryable, payment: CheckPaymentRequest, now: Date): Promise<CheckPaymentResponse> {
  const reserved = await readReserved(db, { ...payment, day: utcDayOf(now) })
  const amount = new BigNumber(payment.amount).toFixed()
  return { detail: findRefusal({ ...payment, amount }, new BigNumber(reserved)) ?? null, reserved }
}
