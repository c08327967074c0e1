/**
 * Moves writes by the events of their operations. An event with an outcome settles a write; any other event shows that
 * the write was accepted. Consumption is idempotent by the operation's sequence. Events of other areas' operations
 * match no write and change nothing.
 *
 * A failed batch is retried event by event. An event that can never be applied is parked and reported, and blocks no
 * other event.
 */

import { type Consuming, consume } from '@financial-agents/bus/consume'
import type { DecideResponse } from '@financial-agents/bus/messages/operations'
import { streamNames } from '@financial-agents/bus/streams'
import { isTerminal, type OperationState, operationStates } from '@financial-agents/contract/machine'
import { isRowFault } from '@financial-agents/postgres/errors'
import { z } from 'zod'
import { type News, recordParked } from './store.ts'
import type { Writes, WritesOptions } from './writes.ts'

type Dependencies = Pick<WritesOptions, 'bus' | 'db' | 'clock' | 'log' | 'durable'>

/** Consumes the area's events until it is stopped. */
export function consumeEvents(dependencies: Dependencies, writes: Pick<Writes, 'advance'>): Consuming {
  return consume<unknown>(dependencies.bus, {
    stream: streamNames.event,
    durable: dependencies.durable,
    maxMessages: 64,
    concurrency: 1,
    retryAfterMs: 1_000,
    handle: (messages) => applyEvents(dependencies, writes, messages),
    onError: (error) => dependencies.log.warn({ err: error }, 'events are taken again'),
  })
}

const eventBatch = z.object({ transitions: z.array(z.unknown()) })

const transition = z.object({
  operation_id: z.guid(),
  sequence: z.int().min(1).max(2_147_483_647),
  to: z.enum(operationStates),
  at: z.iso.datetime(),
  upstream_reference: z.string().nullish(),
  resource: z.record(z.string(), z.string()).nullish(),
})

async function applyEvents(
  dependencies: Dependencies,
  writes: Pick<Writes, 'advance'>,
  messages: readonly unknown[],
): Promise<void> {
  const items: News[] = []
  for (const message of messages) {
    const batch = eventBatch.safeParse(message)
    for (const event of batch.data?.transitions ?? [message]) {
      const parsed = transition.safeParse(event)
      if (parsed.success) items.push(newsOf(parsed.data))
      else await park(dependencies, 'not an event of an operation', event)
    }
  }
  await advanceEach(dependencies, writes, furthest(items))
}

function newsOf({ to, upstream_reference = null, resource = null, ...event }: z.output<typeof transition>): News {
  return { ...event, upstream_reference, resource, outcome: outcomeOf(to) }
}

/** Null while the operation continues. */
function outcomeOf(state: OperationState): News['outcome'] {
  return isTerminal(state) ? state : null
}

/** The news in operations' answer about these ids. A void id has none. */
export function newsOfDecisions(decisions: DecideResponse, at: Date): News[] {
  return decisions.flatMap(({ operation_id, state, sequence, upstream_reference, resource }) =>
    state === 'void'
      ? []
      : [{ operation_id, sequence, at: at.toISOString(), upstream_reference, resource, outcome: outcomeOf(state) }],
  )
}

/** Keeps the item with the highest sequence for each operation. */
function furthest(items: readonly News[]): News[] {
  const byOperation = new Map<string, News>()
  for (const item of items) {
    const known = byOperation.get(item.operation_id)
    if (!known || known.sequence < item.sequence) byOperation.set(item.operation_id, item)
  }
  return [...byOperation.values()]
}

async function advanceEach(
  dependencies: Dependencies,
  writes: Pick<Writes, 'advance'>,
  items: readonly News[],
): Promise<void> {
  try {
    await writes.advance(items)
  } catch (error) {
    if (items.length > 1) for (const item of items) await advanceEach(dependencies, writes, [item])
    else if (isRowFault(error)) await park(dependencies, (error as Error).message, items[0])
    else throw error
  }
}

async function park(dependencies: Dependencies, reason: string, event: unknown): Promise<void> {
  await recordParked(dependencies.db, dependencies.clock.now(), reason, event)
  dependencies.log.error({ reason }, 'an event was parked')
}
