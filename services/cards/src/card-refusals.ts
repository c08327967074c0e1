/** Why a card does not take a change as it stands. What is legal is the machine's to say; here is only what it is called. */

import { Problem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { applyToCard, type CardAction, type Standing } from './card-machine.ts'

/** What changes a card that is there. */
export type CardChange = Exclude<CardAction, 'create'>

/** Undefined where nothing refuses. A card with an unsettled operation is busy, whatever its state. */
export function findRefusal(
  change: CardChange,
  card: Standing & { pending_operation_id: string | null },
): Problem | undefined {
  if (card.pending_operation_id !== null) return new Problem('resource_busy')
  return applyToCard(card, `${change}_accepted`) ? undefined : new Problem(codeOf(change, card))
}

function codeOf(change: CardChange, { state }: Standing): ProblemCode {
  if (change === 'unfreeze') return 'card_not_frozen'
  return change === 'close' && state === 'closed' ? 'card_already_closed' : 'card_not_active'
}
