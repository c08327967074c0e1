/**
 * Deletes expired sessions and sign-ins in batches, figures of reads after 30 days, and circuits of processes that have ended.
 * Nothing depends on the deletion, because expired rows are refused or left out anyway.
 */

import type { Queryable } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { silentMs } from './read-health.ts'

const batch = 500
const pruneSessions = pruneByAge('sessions', 'expires_at')
const pruneSignIns = pruneByAge('sign_ins', 'expires_at')
const pruneReads = pruneByAge('provider_reads', 'at')
const pruneCircuits = pruneByAge('provider_circuits', 'seen_at')
const keptMs = 30 * 86_400_000

/** Deletes one batch of each. Returns true if more may be waiting. */
export async function pruneBatch(db: Queryable, now: Date): Promise<boolean> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const counts = [
    await pruneSessions(db, now, batch),
    await pruneSignIns(db, now, batch),
    await pruneReads(db, before(keptMs), batch),
    await pruneCircuits(db, before(silentMs), batch),
  ]
  return counts.includes(batch)
}

export function startPruning(dependencies: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = dependencies
  return repeat({ name: 'prune', pauseMs, log, work: () => pruneBatch(db, clock.now()) })
}
