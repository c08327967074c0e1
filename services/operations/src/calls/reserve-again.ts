/**
 * Reserves payments again that the provider may have executed and the database has lost. A limit may count too much by that, never too
 * little: nobody knows what became of them.
 */

import type { WitnessedPayments } from '@financial-agents/bus/messages/witness'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { lockCeilingDays } from '../store/ceiling-days.ts'
import { findStateViews } from '../store/state-views.ts'
import { recordLostTransfers } from '../store/transfers.ts'

export function createReserveAgain(db: Database, clock: Pick<Clock, 'now'>) {
  return async ({ payments }: WitnessedPayments): Promise<WitnessedPayments> => {
    const ids = payments.map(({ operation_id }) => operation_id)
    const known = new Set((await findStateViews(db, ids)).map(({ operation_id }) => operation_id))
    const lost = payments.filter(({ operation_id }) => !known.has(operation_id))
    const days = lost.map(({ owner_id, client_id, currency, day }) => ({ owner_id, client_id, currency, day }))
    const once = new Map(days.map((day) => [JSON.stringify(day), day]))
    await db.transaction(async (tx) => {
      await lockCeilingDays(tx, [...once.values()])
      await recordLostTransfers(tx, lost, clock.now())
    })
    return { payments: lost }
  }
}
