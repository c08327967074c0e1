/**
 * How a card's standing is stored. `changes` holds the changes that have not all settled; `pending_operation_id` the newest
 * unsettled operation, its draft included.
 *
 * Replicas of before `changes` write `pending_operation_id` alone, and read it alone: where the two differ, they wrote last.
 */

import { type CardChange, type Change, cardChanges, isUnsettled, type Standing, shownChange } from './card-machine.ts'

/** What `standingColumns` reads. */
export type StoredStanding = Standing & {
  /** Which made the card. */
  operation_id: string
  pending_operation_id: string | null
  /** Of the operation that is pending; null: none is. */
  pending_kind: string | null
}

/** Of `cards`, without an alias. */
export const standingColumns = `operation_id, state, prior_state, changes, pending_operation_id,
  (SELECT w.kind FROM writes w WHERE w.operation_id = cards.pending_operation_id) AS pending_kind`

/** The changes that a row has, whichever version of the service wrote it. */
export function findChanges({ state, changes, pending_operation_id, pending_kind }: StoredStanding): readonly Change[] {
  if (pending_operation_id === null) return []
  if (changes.some(({ operation_id }) => operation_id === pending_operation_id)) return changes
  const action = (Object.keys(cardChanges) as CardChange[]).find((one) => `card_${one}` === pending_kind)
  if (action === undefined) return []
  const isAccepted = state === cardChanges[action].during
  return [{ action, operation_id: pending_operation_id, state: isAccepted ? 'accepted' : 'draft', changed_at: null }]
}

/** The newest unsettled operation, its draft included. */
export function pendingOperation({ state, operation_id, changes }: Standing & { operation_id: string }): string | null {
  if (state === 'draft' || state === 'pending') return operation_id
  return changes.findLast(isUnsettled)?.operation_id ?? null
}

/** The operation that reads name: that of the change that the card shows. A draft shows itself only once it is accepted. */
export function shownOperation(card: Standing & { operation_id: string }): string | null {
  return card.state === 'pending' ? card.operation_id : (shownChange(card)?.operation_id ?? null)
}
