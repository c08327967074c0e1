/**
 * The card's state machine as one table; nothing else in the service lists a legal move. `draft` and `void` are states that no
 * read shows. The events are an action's: accepted by operations, and what became of it; `failed` is also said of one
 * that was cancelled.
 *
 * Invariant: only `succeeded` activates; a change that does not happen leads back to where it began.
 */

import type { Card } from '@financial-agents/contract/schemas/card'

/** What is done to a card; each is a kind of operation. */
export type CardAction = 'create' | 'freeze' | 'unfreeze' | 'close'

/** The states of a row. */
export type CardRowState = Card['state'] | 'draft' | 'void'

/** Where a change may begin. */
export type PriorState = 'active' | 'frozen'

type Row = { from: CardRowState; event: string; to: CardRowState | 'prior' }

/** Every legal move. `prior`: where the change began. */
export const cardMoves = [
  { from: 'draft', event: 'create_accepted', to: 'pending' },
  { from: 'draft', event: 'create_voided', to: 'void' },
  // Operations said that it was not accepted, and yet there is news of it: its news are the truth.
  { from: 'void', event: 'create_accepted', to: 'pending' },
  { from: 'pending', event: 'create_succeeded', to: 'active' },
  { from: 'pending', event: 'create_failed', to: 'failed' },
  { from: 'active', event: 'freeze_accepted', to: 'freezing' },
  { from: 'freezing', event: 'freeze_succeeded', to: 'frozen' },
  { from: 'freezing', event: 'freeze_failed', to: 'active' },
  { from: 'frozen', event: 'unfreeze_accepted', to: 'unfreezing' },
  { from: 'unfreezing', event: 'unfreeze_succeeded', to: 'active' },
  { from: 'unfreezing', event: 'unfreeze_failed', to: 'frozen' },
  { from: 'active', event: 'close_accepted', to: 'closing' },
  { from: 'frozen', event: 'close_accepted', to: 'closing' },
  { from: 'closing', event: 'close_succeeded', to: 'closed' },
  { from: 'closing', event: 'close_failed', to: 'prior' },
] as const satisfies readonly Row[]

/** What moves a card. */
export type CardEvent = (typeof cardMoves)[number]['event']

/** Where a card stands: its state, and where the change under way began. */
export type Standing = { state: CardRowState; prior_state: PriorState | null }

const table: ReadonlyMap<string, Row['to']> = new Map(cardMoves.map(({ from, event, to }) => [`${from}>${event}`, to]))
const changing: ReadonlySet<CardRowState> = new Set(['freezing', 'unfreezing', 'closing'])

/** What `event` makes of a card; undefined where it is no legal move. Pure. */
export function applyToCard({ state, prior_state }: Standing, event: CardEvent): Standing | undefined {
  const named = table.get(`${state}>${event}`)
  const to = named === 'prior' ? prior_state : named
  if (to === undefined || to === null) return undefined
  return { state: to, prior_state: changing.has(to) ? (state as PriorState) : null }
}
