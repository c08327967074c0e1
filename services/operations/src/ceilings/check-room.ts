/**
 * Checks the remaining limit of the day before an owner is asked to confirm a withdrawal. The read takes no lock. It
 * can refuse, but only acceptance reserves.
 */

import type { Ceilings } from '@financial-agents/contract/ceilings'
import { Problem } from '@financial-agents/contract/problem'
import type { Queryable } from '@financial-agents/postgres/database'
import { BigNumber } from 'bignumber.js'
import { readReserved } from '../store/ceiling-days.ts'
import { findRefusal, utcDayOf } from './validate-payments.ts'

export type Withdrawal = { owner_id: string; client_id: string; amount: string; currency: string; ceilings: Ceilings }

/** @throws Problem grant_ceiling_exceeded */
export async function checkRoom(db: Queryable, withdrawal: Withdrawal, now: Date): Promise<void> {
  if (withdrawal.ceilings.per_day === null) return
  const { owner_id, client_id, currency } = withdrawal
  const reserved = await readReserved(db, { owner_id, client_id, currency, day: utcDayOf(now) })
  const amount = new BigNumber(withdrawal.amount).toFixed()
  const detail = findRefusal({ ...withdrawal, amount }, new BigNumber(reserved))
  if (detail !== undefined) throw new Problem('grant_ceiling_exceeded', { detail })
}
