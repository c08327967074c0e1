/**
 * Answers to clients about cards: they show nothing that was not accepted. A protective change is refused as busy only
 * because of a change that it must wait for.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import { callRoute } from '@financial-agents/bus/rpc'
import type { Card } from '@financial-agents/contract/schemas/card'
import type { Invariants } from './invariants.ts'
import type { World } from './world.ts'
import type { Write } from './write.ts'

export async function readCards(
  { bus, invariants, world }: { bus: Bus; invariants: Invariants; world: World },
  context: MessageContext,
): Promise<void> {
  const reply = await callRoute(bus, 'rpc.cards.listCards', { params: {}, query: {} }, context).catch(() => null)
  if (!reply?.ok || world.closed) return
  for (const { id, state, pending_operation_id: pending } of (reply.data as { items: Card[] }).items) {
    const isChanging = ['pending', 'freezing', 'unfreezing', 'closing'].includes(state)
    if (isChanging !== (pending !== null))
      invariants.violate('I7', `the card ${id} is read as ${state} and waits for ${String(pending)}`)
    if (pending !== null && !invariants.isAccepted(pending))
      invariants.violate('I7', `the card ${id} waits for ${pending}, which was not accepted`)
  }
}

/** The changes of a card that each change may have to wait for. Copied by hand. */
const waitsFor: Readonly<Record<string, readonly string[]>> = {
  'rpc.cards.closeCard': ['card_close'],
  'rpc.cards.freezeCard': ['card_freeze', 'card_close'],
}

/** Closing waits only for another closing. Freezing does not wait for an unfreeze. */
export function validateCardRefusal({ stores }: World, invariants: Invariants, { subject, request }: Write): void {
  const kinds = waitsFor[subject]
  if (kinds === undefined) return
  const id = request.params?.['card_id']
  const isMade = stores.cards.tables.get('cards')?.rows.get(id ?? '')?.upstream_reference !== null
  const writes = [...(stores.cards.tables.get('writes')?.rows.values() ?? [])]
  const isWaiting = writes.some(({ resource_id, kind }) => resource_id === id && kinds.includes(kind as string))
  if (isMade && !isWaiting)
    invariants.violate('answers', `${subject} was refused as busy with nothing that it waits for`)
}
