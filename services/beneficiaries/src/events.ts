/**
 * Moves beneficiaries as the events of their operations say: succeeded activates, failed and cancelled end it, any other
 * shows that it was accepted. Idempotent by the operation's sequence.
 *
 * A batch that fails is tried event by event; one that is bad for good is parked and reported, and holds up no other.
 */

import { type Consuming, consume } from '@financial-agents/bus/consume'
import { streamNames } from '@financial-agents/bus/streams'
import { type OperationState, operationStates } from '@financial-agents/operation-machine/machine'
import { isRowFault } from '@financial-agents/postgres/errors'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { z } from 'zod'
import type { Parts } from './parts.ts'
import { furthest, type Progress, recordParked, recordProgress } from './progress-store.ts'

export type EventParts = Pick<Parts, 'bus' | 'db' | 'log' | 'clock'>

export function consumeEvents(parts: EventParts): Consuming {
  return consume<unknown>(parts.bus, {
    stream: streamNames.event,
    durable: 'beneficiaries',
    maxMessages: 64,
    concurrency: 1,
    retryAfterMs: 1_000,
    handle: (messages) => applyEvents(parts, messages),
    onError: (error) => parts.log.warn({ err: error }, 'events are taken again'),
  })
}

const eventBatch = z.object({ transitions: z.array(z.unknown()) })

const transition = z.object({
  operation_id: z.guid(),
  sequence: z.int().min(1).max(2_147_483_647),
  to: z.enum(operationStates),
  at: z.iso.datetime(),
})

/** Exported for the tests of its guarantees. */
export async function applyEvents(parts: EventParts, messages: readonly unknown[]): Promise<void> {
  const items: Progress[] = []
  for (const message of messages) {
    const batch = eventBatch.safeParse(message)
    for (const event of batch.data?.transitions ?? [message]) {
      const parsed = transition.safeParse(event)
      if (parsed.success) items.push({ ...parsed.data, state: toState(parsed.data.to) })
      else await park(parts, 'not an event of an operation', event)
    }
  }
  await record(parts, furthest(items))
}

async function record(parts: EventParts, items: readonly Progress[]): Promise<void> {
  try {
    await advanceAll(parts, items)
  } catch (error) {
    if (items.length > 1) for (const item of items) await record(parts, [item])
    else if (isRowFault(error)) await park(parts, (error as Error).message, items[0])
    else throw error
  }
}

/** Also the sweep's. A void row that turns out to be accepted breaks the protocol: it is shown, and reported. */
export async function advanceAll(parts: Omit<EventParts, 'bus'>, items: readonly Progress[]): Promise<void> {
  if (items.length === 0) return
  failpoint('events.before_commit')
  const wereVoid = await recordProgress(parts.db, items)
  failpoint('events.after_commit')
  for (const operation_id of wereVoid) parts.log.error({ operation_id }, 'a void draft turned out to be accepted')
}

/** What a beneficiary is while its operation is in `state`. */
export function toState(state: OperationState): Progress['state'] {
  if (state === 'succeeded') return 'active'
  return state === 'failed' || state === 'cancelled' ? 'failed' : 'pending'
}

async function park(parts: EventParts, reason: string, event: unknown): Promise<void> {
  await recordParked(parts.db, parts.clock.now(), reason, event)
  parts.log.error({ reason }, 'an event was parked')
}
