/**
 * Consumes transitions. A transition without a subscriber makes no delivery; its cost is a share of one indexed
 * look-up. If the operator has an endpoint, payments are noted for the events of owners.
 */

import { type Consuming, consume } from '@financial-agents/bus/consume'
import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import { streamNames } from '@financial-agents/bus/streams'
import { operationKind, operationState } from '@financial-agents/contract/schemas/operation'
import { id } from '@financial-agents/contract/schemas/primitives'
import { z } from 'zod'
import type { Dependencies } from './dependencies.ts'
import { isReported, type Moved } from './event-types.ts'
import { recordDeliveries } from './new-deliveries.ts'

const moved = z.object({
  operation_id: id,
  owner_id: z.string().regex(/^[^\0]+$/),
  client_id: z.string().regex(/^[^\0]+$/),
  kind: operationKind,
  sequence: z.int().min(1).max(2_147_483_647),
  to: operationState,
  at: z.iso.datetime(),
})

export type Heard = {
  /** Notes the payments among the moves; undefined if the operator has no endpoint. */
  note?: ((moves: readonly Moved[]) => Promise<void>) | undefined
  /** Called when transitions up to this time have been taken. */
  onSeen: (atMs: number) => void
  /** Called when deliveries are due. */
  onDue: () => void
}

export function consumeEvents(
  dependencies: Pick<Dependencies, 'bus' | 'db' | 'clock' | 'log'>,
  heard: Heard,
): Consuming {
  return consume<EventBatch>(dependencies.bus, {
    stream: streamNames.event,
    durable: 'notifier',
    maxMessages: 64,
    concurrency: 1,
    retryAfterMs: 1_000,
    handle: async (messages) => {
      const transitions = messages.flatMap((message) =>
        Array.isArray(message?.transitions) ? message.transitions.filter((one) => one !== null) : [],
      )
      const held = transitions.filter(isHeld)
      if ((await recordDeliveries(dependencies.db, held, readMove, dependencies.clock.now())) > 0) heard.onDue()
      await heard.note?.(held.flatMap((one) => readMove(one) ?? []))
      heard.onSeen(held.reduce((latest, { at }) => Math.max(latest, Date.parse(at) || 0), 0))
    },
    onError: (error) => dependencies.log.warn({ err: error }, 'events are taken again'),
  })
}

/** True if the transition names the client that it may be delivered to. */
function isHeld({ owner_id, client_id }: Pick<OperationTransition, 'owner_id' | 'client_id'>): boolean {
  return isName(owner_id) && isName(client_id)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0')
}

/** Ignores a malformed transition. Operations owns transitions and parks it. */
function readMove(transition: OperationTransition): Moved | undefined {
  const { data } = moved.safeParse(transition)
  if (!data || !isReported({ state: data.to, sequence: data.sequence })) return undefined
  const { to, ...rest } = data
  return { ...rest, state: to }
}
