/**
 * Repairs by time. An accepted operation is announced again until an event of the submitter has moved it, so that what
 * the broker lost is only late; key records go 30 days after they were written, and nothing else goes with them; intents go
 * a day after they expired, what they quote of a payload once they have.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Announce } from './announce.ts'
import { eraseQuoted, pruneIntents } from './store/confirmation-intents.ts'
import { pruneKeys } from './store/keys.ts'
import { takeUnclaimedOperations } from './store/operations.ts'

const sweepLimit = 500
const pruneLimit = 1_000
const dayMs = 24 * 3_600_000
const keyRetentionMs = 30 * dayMs
/** As long as a keyed request is answered again: what was asked for a day ago is told what became of it. */
const intentRetentionMs = dayMs

/** Announces unclaimed operations again; answers true when more may be due. */
export async function sweepUnclaimed(options: {
  db: Database
  clock: Clock
  announce: Announce
  shortestMs: number
  longestMs: number
}): Promise<boolean> {
  const { db, clock, shortestMs, longestMs } = options
  const limit = sweepLimit
  const { unclaimed, more } = await takeUnclaimedOperations(db, { now: clock.now(), limit, shortestMs, longestMs })
  if (unclaimed.length === 0) return more
  failpoint('sweep.before_publish')
  await options.announce(unclaimed)
  failpoint('sweep.after_publish')
  return more
}

/** Removes one batch of key records past their retention; answers true when more may be due. */
export async function pruneExpiredKeys(options: { db: Database; clock: Clock }): Promise<boolean> {
  const before = new Date(options.clock.nowMs() - keyRetentionMs)
  return (await pruneKeys(options.db, before, pruneLimit)) === pruneLimit
}

/** Removes one batch of intents past their retention; answers true when more may be due. */
export async function pruneEndedIntents(options: { db: Database; clock: Clock }): Promise<boolean> {
  const before = new Date(options.clock.nowMs() - intentRetentionMs)
  return (await pruneIntents(options.db, before, pruneLimit)) === pruneLimit
}

/** Erases what one batch of intents that are over quotes; answers true when more may be due. */
export async function eraseQuotedPayloads(options: { db: Database; clock: Clock }): Promise<boolean> {
  return (await eraseQuoted(options.db, options.clock.now(), pruneLimit)) === pruneLimit
}
