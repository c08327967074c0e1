/**
 * Repairs and removals by time. An accepted operation is announced again until an event of the submitter has moved it,
 * so a message that the broker lost is only late. Key records are removed 30 days after they were written, and their
 * operations stay. Intents are removed a day after they expired, and their quotes of a payload at expiry.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Announce } from './announce.ts'
import { eraseQuoted, pruneIntents } from './store/confirmation-intents.ts'
import { pruneKeys } from './store/keys.ts'
import { takeUnclaimedOperations } from './store/operations.ts'

/** A batch has at most ACCEPT_BATCH_ITEMS operations (128 by default). In most batches, all operations are settled. */
const runLimits = { operations: 500, batches: 50 }
const pruneLimit = 1_000
const dayMs = 24 * 3_600_000
const keyRetentionMs = 30 * dayMs
/** Equal to the default lifetime of an idempotency key. A client can read an intent until a day after its expiry. */
const intentRetentionMs = dayMs

/** Announces unclaimed operations again. Returns true if more may be due. */
export async function announceUnclaimed(options: {
  db: Database
  clock: Clock
  announce: Announce
  /** Publishes again that these operations were accepted after an approval. */
  repeatMoves: (ids: readonly string[]) => Promise<void>
  shortestMs: number
  longestMs: number
}): Promise<boolean> {
  const { db, clock, shortestMs, longestMs } = options
  const pauses = { now: clock.now(), shortestMs, longestMs }
  const { unclaimed, more } = await takeUnclaimedOperations(db, runLimits, pauses)
  if (unclaimed.length === 0) return more
  failpoint('job.before_publish')
  await options.announce(unclaimed)
  await options.repeatMoves(unclaimed.map(({ id }) => id))
  failpoint('job.after_publish')
  return more
}

/** Removes one batch of key records past their retention. Returns true if more may be due. */
export async function pruneExpiredKeys(options: { db: Database; clock: Clock }): Promise<boolean> {
  const before = new Date(options.clock.nowMs() - keyRetentionMs)
  return (await pruneKeys(options.db, before, pruneLimit)) === pruneLimit
}

/** Removes one batch of intents past their retention. Returns true if more may be due. */
export async function pruneEndedIntents(options: { db: Database; clock: Clock }): Promise<boolean> {
  const before = new Date(options.clock.nowMs() - intentRetentionMs)
  return (await pruneIntents(options.db, before, pruneLimit)) === pruneLimit
}

/** Erases the quotes of one batch of ended intents. Returns true if more may be due. */
export async function eraseQuotedPayloads(options: { db: Database; clock: Clock }): Promise<boolean> {
  return (await eraseQuoted(options.db, options.clock.now(), pruneLimit)) === pruneLimit
}
