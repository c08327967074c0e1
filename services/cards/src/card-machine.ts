/**
 * The card's state machine: how a card is made, as a table of moves; and how it changes, as one row for each change. Nothing else
 * in the service says what is legal. `draft` and `void` are states that no read shows.
 *
 * A card may have two or three unsettled changes. The provider executes them in whatever order it receives them, so each
 * outcome says only what that change did. Until all have settled, the card shows the newest accepted change.
 *
 * Invariants: only `succeeded` activates, freezes or closes. A card with an unsettled change never comes to show `frozen`, nor does
 * one whose unfreeze may have been accepted; nothing leaves `closed`. The outcome does not depend on the order in which the news of the changes arrive.
 */

import type { Card } from '@financial-agents/contract/schemas/card'

/** What is done to a card; each is a kind of operation. */
export type CardAction = 'create' | CardChange

/** What changes a card that is there. */
export type CardChange = 'freeze' | 'unfreeze' | 'close'

/** The states of a row. */
export type CardRowState = Card['state'] | 'draft' | 'void'

/** Where a change may begin. */
export type PriorState = 'active' | 'frozen'

/** How a card is made. `failed` is also said of a creation that was cancelled. */
export const creationMoves = [
  { from: 'draft', event: 'create_accepted', to: 'pending' },
  { from: 'draft', event: 'create_voided', to: 'void' },
  // Operations said that it was not accepted, and yet there is news of it: its news are the truth.
  { from: 'void', event: 'create_accepted', to: 'pending' },
  { from: 'pending', event: 'create_succeeded', to: 'active' },
  { from: 'pending', event: 'create_failed', to: 'failed' },
] as const satisfies readonly { from: CardRowState; event: string; to: CardRowState }[]

/** What makes a card. */
export type CreationEvent = (typeof creationMoves)[number]['event']

/**
 * The changes. Each begins `from` a state in which nothing is unsettled, or `beside` these changes whatever the state; it is
 * shown as `during` until it settles. `closed` takes the place of every other outcome, whichever came first.
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

/** One change of a card, from its draft on. A settled one is kept only while others are unsettled. */
export type Change = {
  action: CardChange
  operation_id: string
  state: 'draft' | 'accepted' | 'succeeded' | 'failed'
  /** When the provider made it, by the provider's clock (RFC 3339, UTC, milliseconds); null: it did not say. */
  changed_at: string | null
}

/** What became of a change. `failed` is also said of one that was cancelled, and of a draft that was never accepted. */
export type ChangeEvent = 'accepted' | 'succeeded' | 'failed'

/** Where a card stands. */
export type Standing = {
  state: CardRowState
  /** What the card was when the first of the accepted changes began; null: none of them is unsettled. */
  prior_state: PriorState | null
  /** The unsettled changes with their drafts, and what settled beside them; oldest first. */
  changes: readonly Change[]
}

const creation: ReadonlyMap<string, CardRowState> = new Map(
  creationMoves.map(({ from, event, to }) => [`${from}>${event}`, to]),
)

/** What `event` makes of a card that is being made; undefined where it is no legal move. Pure. */
export function applyToCreation(state: CardRowState, event: CreationEvent): CardRowState | undefined {
  return creation.get(`${state}>${event}`)
}

/** Whether the change may begin: `busy` where an unsettled one has to settle first, `illegal` where the state does not allow it. Pure. */
export function judgeBeginning(action: CardChange, { state, changes }: Standing): 'legal' | 'busy' | 'illegal' {
  const { from, beside }: ChangeRow = cardChanges[action]
  const unsettled = changes.filter(isUnsettled)
  if (unsettled.length > 0) return unsettled.every((change) => beside.includes(change.action)) ? 'legal' : 'busy'
  if (state === 'draft' || state === 'pending') return 'busy'
  return from.some((one) => one === state) ? 'legal' : 'illegal'
}

/** The card with the draft of a change, which shows nothing. */
export function withDraft(standing: Standing, action: CardChange, operation_id: string): Standing {
  const draft: Change = { action, operation_id, state: 'draft', changed_at: null }
  return { ...standing, changes: [...standing.changes, draft] }
}

/** What the news of one of its changes make of a card; undefined where that change is not the card's. Pure. */
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
    // What was never seen to be accepted leaves nothing behind.
    if (event === 'failed' && change.state === 'draft') return []
    return [{ ...change, state: event, changed_at: changedAt }]
  })
  return stand(standing, changes)
}

/** An earlier change of the same kind that succeeded: this one began only after that. */
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
  // The draft of an unfreeze may have been accepted, and may have thawed the card: until it is decided, the card shows what it showed.
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

/** The change that the card shows: the newest that is accepted and unsettled, else the one that it goes on showing. */
export function shownChange({ state, changes }: Standing): Change | undefined {
  return (
    newestAccepted(changes) ??
    changes.findLast((change) => change.state !== 'draft' && cardChanges[change.action].during === state)
  )
}

/**
 * What the changes that succeeded made of the card. Where a freeze and an unfreeze were unsettled together, the later by the
 * provider's clock counts; where the provider does not tell them apart, the card is not taken for frozen.
 */
function proven(prior: PriorState, changes: readonly Change[]): PriorState {
  const [one, other] = changes.filter(({ state }) => state === 'succeeded')
  if (!one) return prior
  if (!other) return madeBy(one)
  if (one.changed_at === null || other.changed_at === null || one.changed_at === other.changed_at) return 'active'
  return madeBy(one.changed_at > other.changed_at ? one : other)
}

const madeBy = ({ action }: Change): PriorState => (action === 'freeze' ? 'frozen' : 'active')
