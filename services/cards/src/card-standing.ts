/**
 * The stored form of a card's standing. `changes` holds the changes until all of them have settled.
 * `pending_operation_id` names the newest unsettled operation, drafts included.
 *
 * Replicas of the release before `changes` read and write only `pending_operation_id`. If the two columns differ, such
 * a replica wrote last.
 */

import { type CardChange, type Change, cardChanges, isUnsettled, type Standing, shownChange } from './card-machine.ts'

/** A row of `standingColumns`. */
export type StoredStanding = Standing & {
  /** The operation that created the card. */
  operation_id: string
  pending_operation_id: string | null
  /** The kind of the pending operation; null if none is pending. */
  pending_kind: string | null
}

/** The columns of `cards`, without an alias. */
export const standingColumns = `operation_id, state, prior_state, changes, pending_operation_id,
  (SELECT w.kind FROM writes w WHERE w.operation_id = cards.pending_operation_id) AS pending_kind`

/** Returns the changes of a row that any version of the service wrote. */
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

/** The accepted operations without an outcome. */
export function acceptedOperations({ state, operation_id, changes }: Standing & { operation_id: string }): string[] {
  const accepted = changes.filter((change) => change.state === 'accepted').map((change) => change.operation_id)
  return state === 'pending' ? [operation_id, ...accepted] : accepted
}

/**
 * The operation that reads name: the operation of the change that the card shows. A draft is shown only after its
 * acceptance.
 */
export function shownOperation(card: Standing & { operation_id: string }): string | null {
  return card.state === 'pending' ? card.operation_id : (shownChange(card)?.operation_id ?? null)
}
