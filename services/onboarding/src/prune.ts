/** Deletes expired rows in batches: sign-ins, visits, and changes of verifications. */

import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { pruneSessions } from './kyc-sessions-store.ts'
import { pruneKycChanges } from './kyc-store.ts'
import { pruneSignIns } from './sign-ins-store.ts'

const batch = 500
const dayMs = 86_400_000

const kept = [
  // From its expiry on, a sign-in is answered as `expired`.
  { prune: pruneSignIns, forMs: 0 },
  { prune: pruneSessions, forMs: 30 * dayMs },
  { prune: pruneKycChanges, forMs: 400 * dayMs },
]

export function startPruning(dependencies: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = dependencies
  const work = async () => {
    let more = false
    for (const { prune, forMs } of kept)
      if ((await prune(db, new Date(clock.nowMs() - forMs), batch)) === batch) more = true
    return more
  }
  return repeat({ name: 'prune', pauseMs, log, work })
}
