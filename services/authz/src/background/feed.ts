/**
 * The feed to the gateways. Every replica publishes every change in the order of commit, and at least one message a
 * second.
 *
 * Invariant: a replica that cannot read the changes falls silent. The gateways then stop trusting their copies instead
 * of missing a revocation.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type Change, getLastSequence, listChangesAfter } from '../store/changes.ts'

const heartbeatMs = 1_000

export type Feed = {
  stop: () => Promise<void>
  /**
   * Publishes every change that has committed by now, and waits until the bus has it. All messages use one connection,
   * so a service that gets an answer over the bus afterwards has received the change before.
   * @throws Unavailable
   */
  publishNow: () => Promise<void>
  /** Publishes a change that is not in this service's database, and waits until the bus has it. @throws Unavailable */
  announce: (change: Change) => Promise<void>
}

/** Starts with the changes from now on: a gateway that hears a new publisher reads everything again anyway. */
export async function startFeed(options: { bus: Bus; db: Database; log: Log; pauseMs: number }): Promise<Feed> {
  const { bus, db } = options
  const publisher = randomUUID()
  let sequence = 0
  let seen = await getLastSequence(db)
  let lastMs = Number.NEGATIVE_INFINITY
  const publish = (change: Change | null) => {
    sequence += 1
    lastMs = performance.now()
    bus.publish('evt.grants', JSON.stringify({ publisher, sequence, change } satisfies GrantFeedMessage))
  }
  const look = inTurn(async () => {
    for (;;) {
      const changes = await listChangesAfter(db, seen)
      if (changes.length === 0) return
      for (const { sequence: changeSequence, change } of changes) {
        publish(change)
        seen = changeSequence
      }
    }
  })
  const repeating = repeat({
    name: 'feed',
    pauseMs: options.pauseMs,
    log: options.log,
    work: async () => {
      await look()
      // The pause after this run must still fit into the second.
      if (performance.now() - lastMs > heartbeatMs - options.pauseMs) publish(null)
    },
  })
  return {
    publishNow: async () => {
      await look()
      await arrived(bus)
    },
    announce: (change) => {
      publish(change)
      return arrived(bus)
    },
    stop: () => repeating.stop(),
  }
}

/**
 * Runs one at a time. A caller that arrives during a run waits for one that begins later, and shares it with others.
 */
function inTurn(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      const running = run()
      last = running.catch(() => {})
      return running
    })
    return next
  }
}

/** Resolves when the messages published before have arrived at the server. */
async function arrived(bus: Bus): Promise<void> {
  if (!(await bus.answers())) throw new Unavailable('the bus does not answer')
}
