/**
 * The feed to the gateways: every replica publishes every change, in the order of commit, and at least one message a second.
 *
 * Invariant: a replica that cannot read what changed falls silent, so that the gateways stop trusting what they hold
 * rather than miss a revocation.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import { type Change, getLastSequence, listChangesAfter } from '../store/changes.ts'

const heartbeatMs = 1_000

export type Feed = {
  stop: () => Promise<void>
  /** Publishes a change that is not in this service's database. */
  announce: (change: Change) => void
}

/** Starts from now: a gateway that hears a new publisher reads everything again anyway. */
export async function startFeed(options: { bus: Bus; db: Database; log: Log; pauseMs: number }): Promise<Feed> {
  const { bus, db } = options
  const publisher = randomUUID()
  let sequence = 0
  let seen = await getLastSequence(db)
  let lastMs = Number.NEGATIVE_INFINITY

  const announce = (change: Change | null) => {
    sequence += 1
    lastMs = performance.now()
    bus.publish('evt.grants', JSON.stringify({ publisher, sequence, change } satisfies GrantFeedMessage))
  }
  const repeating = repeat({
    name: 'feed',
    pauseMs: options.pauseMs,
    log: options.log,
    work: async () => {
      const changes = await listChangesAfter(db, seen)
      for (const { sequence: changeSequence, change } of changes) {
        announce(change)
        seen = changeSequence
      }
      // The pause after this run has to fit into the second.
      if (performance.now() - lastMs > heartbeatMs - options.pauseMs) announce(null)
    },
  })
  return { announce, stop: () => repeating.stop() }
}
