/** What freezing, unfreezing and closing have in common: which card, and that the provider has it under a reference. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import { performWrite } from '@financial-agents/writes/perform'
import { findRefusal } from './card-refusals.ts'
import { findNamedCard } from './card-store.ts'
import type { CardChangeKind } from './card-writes.ts'
import type { Parts } from './parts.ts'

/** @throws Problem card_not_found; whatever the state refuses is judged again under the card's lock */
export function performChange(
  parts: Parts,
  kind: CardChangeKind,
  cardId: string,
  context: HandlerContext,
): Promise<Acceptance> {
  return performWrite(parts, kind, context, async () => {
    const card = await findNamedCard(parts.db, context.principal.owner_id, cardId)
    if (!card) throw new Problem('card_not_found')
    const { id, upstream_reference } = card
    // It had none when it was read, so it was not active then, whatever it has become since.
    if (upstream_reference === null) throw findRefusal(kind.change, card) ?? new Problem('card_not_active')
    return { resource_id: id, input: null, payload: {}, target_reference: upstream_reference }
  })
}
