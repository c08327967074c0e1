/** Deletes deliveries after thirty days, and secrets that were replaced and sign no more. */

import type { Queryable } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { forgetPrevious } from './subscription-store.ts'

const batch = 500
const keptMs = 30 * 86_400_000

export const pruneDeliveries = pruneByAge('deliveries', 'created_at')

export function startPruning(dependencies: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = dependencies
  const work = async () => {
    await db.rows(forgetPrevious, [clock.now()])
    return (await pruneDeliveries(db, new Date(clock.nowMs() - keptMs), batch)) === batch
  }
  return repeat({ name: 'prune_deliveries', pauseMs, log, work })
}
