/**
 * The card's state machine: creation as a table of moves, and one row for each change. Nothing else in the service says
 * what is legal. No read shows the states `draft` and `void`.
 *
 * A card may have two or three unsettled changes. The provider executes them in the order in which it receives them,
 * which may be any order. Each outcome therefore describes only its own change. Until all have settled, the card shows
 * the newest accepted change.
 *
 * Invariants: only `succeeded` activates, freezes or closes. A card with an unsettled change, or with an unfreeze that
 * may have been accepted, never turns `frozen`. No event leaves `closed`. The result does not depend on the order in
 * which the events of the changes arrive.
 */

import type { Card } from '@financial-agents/contract/schemas/card'

/** Each is an operation kind. */
export type CardAction = 'create' | CardChange

export type CardChange = 'freeze' | 'unfreeze' | 'close'

export type CardRowState = Card['state'] | 'draft' | 'void'

/** The states from which a change may begin. */
export type PriorState = 'active' | 'frozen'

/** `failed` also stands for a cancelled creation. */
export const creationMoves = [
  { from: 'draft', event: 'create_accepted', to: 'pending' },
  { from: 'draft', event: 'create_voided', to: 'void' },
  // Operations reported that the creation was not accepted, and yet an event of it arrived. The event is the truth.
  { from: 'void', event: 'create_accepted', to: 'pending' },
  { from: 'pending', event: 'create_succeeded', to: 'active' },
  { from: 'pending', event: 'create_failed', to: 'failed' },
] as const satisfies readonly { from: CardRowState; event: string; to: CardRowState }[]

export type CreationEvent = (typeof creationMoves)[number]['event']

/**
 * The changes. A change begins `from` a state in which nothing is unsettled, or `beside` these unsettled changes in any
 * state. The card shows it as `during` until it settles. A `closed` card ignores every other outcome, whichever came
 * first.
 */
export const cardChanges = {
  unfreeze: { from: ['frozen'], beside: [], during: 'unfreezing', makes: 'active' },
  freeze: { from: ['active'], beside: ['unfreeze'], during: 'freezing', makes: 'frozen' },
  close: { from: ['active', 'frozen'], beside: ['unfreeze', 'freeze'], during: 'closing', makes: 'closed' },
} as const satisfies Record<CardChange, ChangeRow>

type ChangeRow = {
  from: readonly PriorState[]
  beside: readonly CardChange[]
  during: Card['state']
  makes: PriorState | 'closed'
}

/** One change of a card, from its draft on. A settled change is kept only while others are unsettled. */
export type Change = {
  action: CardChange
  operation_id: string
  state: 'draft' | 'accepted' | 'succeeded' | 'failed'
  /**
   * The time at which the provider made the change, by the provider's clock (RFC 3339, UTC, milliseconds); null if it
   * gave none.
   */
  changed_at: string | null
}

/** `failed` also stands for a cancelled change, and for a draft that was never accepted. */
export type ChangeEvent = 'accepted' | 'succeeded' | 'failed'

/** The state of a card with its unsettled changes. */
export type Standing = {
  state: CardRowState
  /** The card's state when the first of the accepted changes began; null if none is unsettled. */
  prior_state: PriorState | null
  /** The unsettled changes, their drafts included, and the changes that settled beside them, oldest first. */
  changes: readonly Change[]
}

const creation: ReadonlyMap<string, CardRowState> = new Map(
  creationMoves.map(({ from, event, to }) => [`${from}>${event}`, to]),
)

/** Returns the state that `event` of the creation leads to, or undefined if the move is not legal. Pure. */
export function applyToCreation(state: CardRowState, event: CreationEvent): CardRowState | undefined {
  return creation.get(`${state}>${event}`)
}

/**
 * Validates whether the change may begin: `busy` if an unsettled change must settle first, `illegal` if the state does not
 * allow it. Pure.
 */
export function validateBeginning(action: CardChange, { state, changes }: Standing): 'legal' | 'busy' | 'illegal' {
  const { from, beside }: ChangeRow = cardChanges[action]
  const unsettled = changes.filter(isUnsettled)
  if (unsettled.length > 0) return unsettled.every((change) => beside.includes(change.action)) ? 'legal' : 'busy'
  if (state === 'draft' || state === 'pending') return 'busy'
  return from.some((one) => one === state) ? 'legal' : 'illegal'
}

/** The card does not show the draft. */
export function withDraft(standing: Standing, action: CardChange, operation_id: string): Standing {
  const draft: Change = { action, operation_id, state: 'draft', changed_at: null }
  return { ...standing, changes: [...standing.changes, draft] }
}

/** Applies an event of one of the card's changes. Returns undefined if the change is not the card's. Pure. */
export function applyToChange(
  standing: Standing,
  operationId: string,
  event: ChangeEvent,
  changedAt: string | null = null,
): Standing | undefined {
  const change = standing.changes.find(({ operation_id }) => operation_id === operationId)
  if (!change) return undefined
  if (event === 'succeeded' && change.action === 'close') return { state: 'closed', prior_state: null, changes: [] }
  const changes = standing.changes.flatMap((other): Change[] => {
    if (other !== change) return event === 'succeeded' && isReplacedBy(other, change) ? [] : [other]
    // A change that fails while it is still a draft leaves nothing behind.
    if (event === 'failed' && change.state === 'draft') return []
    return [{ ...change, state: event, changed_at: changedAt }]
  })
  return stand(standing, changes)
}

/** True for an earlier change of the same kind that succeeded. This change began only after that. */
function isReplacedBy(other: Change, { action }: Change): boolean {
  return other.state === 'succeeded' && other.action === action
}

export function isUnsettled({ state }: Change): boolean {
  return state === 'draft' || state === 'accepted'
}

function stand({ state, prior_state }: Standing, changes: readonly Change[]): Standing {
  const prior = prior_state ?? (state as PriorState)
  const newest = newestAccepted(changes)
  if (newest) return { state: cardChanges[newest.action].during, prior_state: prior, changes: withoutFailed(changes) }
  const settled = proven(prior, changes)
  // The draft of an unfreeze may have been accepted, and may have unfrozen the card. Until it is decided, the card
  // keeps its state.
  const mayBeThawed = changes.some((change) => change.action === 'unfreeze' && change.state === 'draft')
  if (settled === 'frozen' && state !== 'frozen' && mayBeThawed) return { state, prior_state: prior, changes }
  return { state: settled, prior_state: null, changes: changes.some(isUnsettled) ? withoutFailed(changes) : [] }
}

function withoutFailed(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ state }) => state !== 'failed')
}

function newestAccepted(changes: readonly Change[]): Change | undefined {
  return changes.findLast(({ state }) => state === 'accepted')
}

/** The change that the card shows: the newest that is accepted and unsettled, else the one that it showed before. */
export function shownChange({ state, changes }: Standing): Change | undefined {
  return (
    newestAccepted(changes) ??
    changes.findLast((change) => change.state !== 'draft' && cardChanges[change.action].during === state)
  )
}

/**
 * The state that the succeeded changes prove. If a freeze and an unfreeze were unsettled together, the later one by the
 * provider's clock counts. If the provider gives no order, the card counts as active.
 */
function proven(prior: PriorState, changes: readonly Change[]): PriorState {
  const [one, other] = changes.filter(({ state }) => state === 'succeeded')
  if (!one) return prior
  if (!other) return madeBy(one)
  if (one.changed_at === null || other.changed_at === null || one.changed_at === other.changed_at) return 'active'
  return madeBy(one.changed_at > other.changed_at ? one : other)
}

const madeBy = ({ action }: Change): PriorState => (action === 'freeze' ? 'frozen' : 'active')
