/** Deletes sign-ins that have expired, in batches. Their results have been answered as `expired` from that moment on. */

import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { pruneSignIns } from './sign-ins-store.ts'

const batch = 500

export function startPruning(parts: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = parts
  const work = async () => (await pruneSignIns(db, clock.now(), batch)) === batch
  return repeat({ name: 'prune', pauseMs, log, work })
}
