/**
 * Voids the ids that no accept has decided, and returns the decisions on the others. Absence is written, not read
 * (write protocol, rule 2): after the answer `void`, no accept of the id can win.
 *
 * An id from before the archive's horizon is never voided, because its decision may be in the archive. Without a
 * decision here it is absent from the answer, and the area asks again.
 */

import type { DecideRequest, DecideResponse } from '@financial-agents/bus/messages/operations'
import { findArchivedIds, mayBeArchived } from '@financial-agents/postgres/archive/horizon'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { findDecidedStates, recordVoids } from '../store/decisions.ts'

export function createDecide(db: Database, clock: Clock) {
  return async ({ operation_ids }: DecideRequest): Promise<DecideResponse> => {
    failpoint('decide.before_commit')
    await recordUndecided(db, operation_ids, clock.now())
    failpoint('decide.after_commit')
    return findDecidedStates(db, operation_ids)
  }
}

async function recordUndecided(db: Database, operationIds: readonly string[], now: Date): Promise<void> {
  const old = operationIds.filter((id) => mayBeArchived(id, now))
  if (old.length === 0) return recordVoids(db, operationIds, now)
  await db.transaction(async (tx) => {
    const archived = await findArchivedIds(tx, old, now)
    const open = operationIds.filter((id) => !archived.has(id))
    if (open.length > 0) await recordVoids(tx, open, now)
  })
}
