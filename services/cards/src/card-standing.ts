/** The operations that a card's standing names. */

import { type Standing, shownChange } from './card-machine.ts'

export type CardStanding = Standing & { operation_id: string }

export const standingColumns = 'operation_id, state, prior_state, changes'

/** The accepted operations without an outcome. */
export function acceptedOperations({ state, operation_id, changes }: CardStanding): string[] {
  const accepted = changes.filter((change) => change.state === 'accepted').map((change) => change.operation_id)
  return state === 'pending' ? [operation_id, ...accepted] : accepted
}

/**
 * The operation that reads name: the operation of the change that the card shows. A draft is shown only after its
 * acceptance.
 */
export function shownOperation(card: CardStanding): string | null {
  return card.state === 'pending' ? card.operation_id : (shownChange(card)?.operation_id ?? null)
}
