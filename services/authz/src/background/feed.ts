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
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type Change, getLastSequence, listChangesAfter } from '../store/changes.ts'

const heartbeatMs = 1_000

export type Feed = {
  stop: () => Promise<void>
  /**
   * Publishes every change that has committed by now, and waits until the bus has it. On one connection: whoever is
   * answered over the bus afterwards hears of the change first.
   * @throws Unavailable
   */
  publishNow: () => Promise<void>
  /** Publishes a change that is not in this service's database, likewise. @throws Unavailable */
  announce: (change: Change) => Promise<void>
}

/** Starts from now: a gateway that hears a new publisher reads everything again anyway. */
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
      // The pause after this run has to fit into the second.
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

/** One run at a time. Who asks while one is under way waits for a run that begins after it, and shares it. */
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

/** What was published leaves at the end of this turn of the event loop, ahead of the ping that is answered here. */
async function arrived(bus: Bus): Promise<void> {
  await new Promise(setImmediate)
  if (!(await bus.answers())) throw new Unavailable('the bus does not answer')
}
