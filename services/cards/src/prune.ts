/** Deletes reveal sessions past their retention, in batches. Their pages expired long before. */

import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { pruneReveals } from './reveal-store.ts'

const batch = 500
const keptMs = 30 * 86_400_000

export function startPruning(dependencies: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = dependencies
  const work = async () => (await pruneReveals(db, new Date(clock.nowMs() - keptMs), batch)) === batch
  return repeat({ name: 'prune_reveals', pauseMs, log, work })
}
