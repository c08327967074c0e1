/** Sorts the claimed deliveries into those that are over, those that wait, and those to send. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Log } from '@financial-agents/runtime/log'
import { type Deliverable, findAllowed, findReadable } from './authority.ts'
import type { Claimed, Result } from './claim-store.ts'
import { givenUpAfterMs, waitMs } from './retries.ts'

export type DeliveryDecision = {
  send: Deliverable[]
  /** Results that need no attempt. */
  results: Result[]
  /** Deliveries whose subscription was deleted. */
  orphans: string[]
}

/** @param random from 0 to 1 */
export async function validateDeliveries(
  { bus, log }: { bus: Bus; log: Log },
  claimed: readonly Claimed[],
  now: Date,
): Promise<DeliveryDecision> {
  const { deliverable, results, orphans } = sortOut(claimed, now)
  const later = (deliveries: readonly Deliverable[]) => deliveries.map((delivery) => postponed(delivery, now))
  try {
    const readable = await findReadable(bus, deliverable)
    const [ready, early] = split(deliverable, readable)
    const [send, refused] = split(ready, await findAllowed(bus, ready))
    return { send, orphans, results: [...results, ...later(early), ...refused.map(({ id }) => failedUnsent(id))] }
  } catch (error) {
    log.warn({ err: error, deliveries: deliverable.length }, 'deliveries wait for whoever decides on them')
    return { send: [], orphans, results: [...results, ...later(deliverable)] }
  }
}

function sortOut(claimed: readonly Claimed[], now: Date) {
  const deliverable: Deliverable[] = []
  const results: Result[] = []
  const orphans: string[] = []
  for (const delivery of claimed) {
    const { subscription } = delivery
    if (!subscription) orphans.push(delivery.id)
    else if (!subscription.active || ageMs(delivery, now) > givenUpAfterMs) results.push(failedUnsent(delivery.id))
    else deliverable.push({ ...delivery, subscription })
  }
  return { deliverable, results, orphans }
}

function split(deliveries: readonly Deliverable[], chosen: ReadonlySet<string>): [Deliverable[], Deliverable[]] {
  return [deliveries.filter(({ id }) => chosen.has(id)), deliveries.filter(({ id }) => !chosen.has(id))]
}

function failedUnsent(id: string): Result {
  return { id, status: 'failed', attempt: null, nextAttemptAt: null }
}

function postponed(delivery: Deliverable, now: Date): Result {
  const nextAttemptAt = new Date(now.getTime() + waitMs(ageMs(delivery, now)))
  return { id: delivery.id, status: 'pending', attempt: null, nextAttemptAt }
}

function ageMs({ waiting_since }: Claimed, now: Date): number {
  return now.getTime() - waiting_since.getTime()
}
