/**
 * Deletes expired sessions and sign-ins in batches. Nothing depends on the deletion, because expired rows are refused
 * anyway.
 */

import type { Queryable } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'

const batch = 500
const pruneSessions = pruneByAge('sessions', 'expires_at')
const pruneSignIns = pruneByAge('sign_ins', 'expires_at')

/** Deletes one batch of each. Returns true if more may be waiting. */
export async function pruneBatch(db: Queryable, now: Date): Promise<boolean> {
  const counts = [await pruneSessions(db, now, batch), await pruneSignIns(db, now, batch)]
  return counts.includes(batch)
}

export function startPruning(parts: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = parts
  return repeat({ name: 'prune', pauseMs, log, work: () => pruneBatch(db, clock.now()) })
}
