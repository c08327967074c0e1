/**
 * Voids the ids that no accept has decided, and returns the decisions on the others. Absence is written, not read
 * (write protocol, rule 2): after the answer `void`, no accept of the id can win.
 */

import type { DecideRequest, DecideResponse } from '@financial-agents/bus/messages/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { findDecidedStates, recordVoids } from '../store/decisions.ts'

export function createDecide(db: Queryable, clock: Clock) {
  return async ({ operation_ids }: DecideRequest): Promise<DecideResponse> => {
    failpoint('decide.before_commit')
    await recordVoids(db, operation_ids, clock.now())
    failpoint('decide.after_commit')
    return findDecidedStates(db, operation_ids)
  }
}
