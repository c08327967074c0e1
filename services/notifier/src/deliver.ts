/**
 * Sends due deliveries, again and again. A slow receiver delays nothing else: each host has a limited number of slots,
 * and a delivery without a slot stays in the table for this process or another.
 *
 * Invariant: nothing is sent later than its lease allows, so no two processes make the same attempt.
 */

import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import { type AttemptDependencies, attempt } from './attempt.ts'
import type { Deliverable } from './authority.ts'
import { createClaim, type Hand } from './claim.ts'
import { deleteDeliveries, recordResults } from './claim-store.ts'
import type { Dependencies } from './dependencies.ts'
import { createHostSlots } from './host-slots.ts'
import { recordAnswer } from './record-answer.ts'
import { validateDeliveries } from './validate.ts'

export type DeliverDependencies = Dependencies &
  AttemptDependencies & { slots: { total: number; perHost: number }; pauseMs: number }

export function startDelivering(dependencies: DeliverDependencies): Wakeable {
  const slots = createHostSlots(dependencies.slots)
  const claim = createClaim({ ...dependencies, slots })
  const underWay = new Set<Promise<void>>()
  const repeating = repeat({
    name: 'deliveries',
    pauseMs: dependencies.pauseMs,
    log: dependencies.log,
    work: async () => {
      if (slots.isFull()) return false
      const hand = await claim()
      if (hand.claimed.length > 0) {
        const handled = deliverHand(dependencies, hand, release).finally(() => underWay.delete(handled))
        underWay.add(handled)
      }
      return hand.more
    },
  })
  function release(host: string): void {
    slots.giveBack(host)
    repeating.wake()
  }
  return {
    wake: () => repeating.wake(),
    stop: async () => {
      await repeating.stop()
      await Promise.all(underWay)
    },
  }
}

/** Never rejects. A failed delivery is taken again when its lease ends. */
async function deliverHand(
  dependencies: DeliverDependencies,
  hand: Hand,
  release: (host: string) => void,
): Promise<void> {
  const unreleased = new Map(hand.claimed.map(({ id, host }) => [id, host]))
  const done = ({ id }: { id: string }) => {
    const host = unreleased.get(id)
    unreleased.delete(id)
    if (host !== undefined) release(host)
  }
  try {
    const { send, results, orphans } = await validateDeliveries(dependencies, hand.claimed, dependencies.clock.now())
    await recordResults(dependencies.db, hand.leaseId, results)
    await deleteDeliveries(dependencies.db, hand.leaseId, orphans)
    const sent = new Set(send.map(({ id }) => id))
    hand.claimed.filter(({ id }) => !sent.has(id)).forEach(done)
    await Promise.all(send.map((delivery) => sendOne(dependencies, hand, delivery).finally(() => done(delivery))))
  } catch (error) {
    dependencies.log.warn({ err: error }, 'deliveries are taken again when their lease ends')
  } finally {
    for (const host of unreleased.values()) release(host)
  }
}

async function sendOne(dependencies: DeliverDependencies, hand: Hand, delivery: Deliverable): Promise<void> {
  if (performance.now() >= hand.sendBeforeMs) return
  try {
    await recordAnswer(dependencies, hand.leaseId, delivery, await attempt(dependencies, delivery))
  } catch (error) {
    dependencies.log.warn({ err: error, delivery_id: delivery.id }, 'a delivery is taken again when its lease ends')
  }
}
