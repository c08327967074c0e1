/** The common part of freezes, unfreezes and closings: find the card, and require its reference at the provider. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import { performWrite } from '@financial-agents/writes/perform'
import { findRefusal } from './card-refusals.ts'
import type { CardChangeKind } from './card-writes.ts'
import type { Parts } from './parts.ts'
import { findSettledNamedCard } from './settled-cards.ts'

/** @throws Problem card_not_found; every refusal by state is validated again under the card's lock */
export function performChange(
  parts: Parts,
  kind: CardChangeKind,
  cardId: string,
  context: HandlerContext,
): Promise<Acceptance> {
  return performWrite(parts, kind, context, async () => {
    const card = await findSettledNamedCard(parts, context.principal.owner_id, cardId)
    if (!card) throw new Problem('card_not_found')
    const { id, upstream_reference } = card
    // The card had no reference when it was read, so it was not active then, even if it has become active since.
    if (upstream_reference === null) throw findRefusal(kind.change, card) ?? new Problem('card_not_active')
    return { resource_id: id, input: null, payload: {}, target_reference: upstream_reference }
  })
}
