/**
 * Refuses a recovery while an operation that is not known to be sent is dated in the future, because a clock was ahead: it would count as
 * one from after the recovery point, and be sent although it may have been sent in the lost time.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { generatedAtMs } from '@financial-agents/runtime/generated-at'
import { listUnsent } from '../store/in-flight.ts'

/** Says why a recovery has to wait; undefined if it has not. */
export async function findOperationAhead(db: Database, clock: Clock): Promise<string | undefined> {
  const datesMs = (await listUnsent(db)).map(({ id, accepted_at }) =>
    Math.min(accepted_at?.getTime() ?? Number.POSITIVE_INFINITY, generatedAtMs(id)),
  )
  const lastMs = datesMs.reduce((one, other) => Math.max(one, other), 0)
  if (lastMs <= clock.nowMs()) return undefined
  return `a clock was ahead, and an operation that may have been sent is dated ${new Date(lastMs).toISOString()}: wait until then`
}
