/** Starts the events of owners: notes payments, follows grants, makes events, sends them, and erases what is over. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import type { Moved } from '../event-types.ts'
import type { SigningKeys } from '../signing-keys.ts'
import { recordCandidates } from './candidates.ts'
import { eraseBodies } from './event-store.ts'
import { followGrants } from './follow-grants.ts'
import { makeEvents } from './make-events.ts'
import { startSending } from './send.ts'

/** The operator's endpoint, and the settings of the events that it receives. */
export type Platform = {
  url: URL
  secret: Buffer
  capPercent: number
  pauseMs: number
  pruneMs: number
  timeoutMs: number
}

export type OwnerEvents = {
  /** Notes the payments among these moves, durably. */
  note: (moves: readonly Moved[]) => Promise<void>
  stop: () => Promise<void>
}

type Dependencies = { bus: Bus; db: Database; clock: Clock; log: Log; signingKeys: SigningKeys; platform: Platform }

const bodiesKeptMs = 30 * 86_400_000
/** Longer than a mandate can last, so that a limit has only one event in its period. */
const keysKeptMs = 400 * 86_400_000
const pruneBatch = 500

export const pruneEvents = pruneByAge('owner_events', 'created_at')

export function startOwnerEvents({ platform, ...dependencies }: Dependencies): OwnerEvents {
  const { db, clock, log } = dependencies
  const { url, secret, timeoutMs, pauseMs, capPercent } = platform
  const sending = startSending({ ...dependencies, url, secret, timeoutMs, pauseMs })
  const onDue = () => sending.wake()
  const making = repeat({
    name: 'owner events of payments',
    pauseMs,
    log,
    work: () => makeEvents({ ...dependencies, capPercent }, onDue),
  })
  const following = repeat({
    name: 'owner events of grants',
    pauseMs,
    log,
    work: () => followGrants(dependencies, onDue),
  })
  const erasing = repeat({
    name: 'prune_owner_events',
    pauseMs: platform.pruneMs,
    log,
    work: async () => {
      const erased = await eraseBodies(db, new Date(clock.nowMs() - bodiesKeptMs), pruneBatch)
      const pruned = await pruneEvents(db, new Date(clock.nowMs() - keysKeptMs), pruneBatch)
      return erased === pruneBatch || pruned === pruneBatch
    },
  })
  return {
    note: async (moves) => {
      if ((await recordCandidates(db, moves, clock.now())) > 0) making.wake()
    },
    stop: async () => {
      await Promise.all([making.stop(), following.stop(), erasing.stop()])
      await sending.stop()
    },
  }
}
