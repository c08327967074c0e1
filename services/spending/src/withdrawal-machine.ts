/**
 * A withdrawal's states as one table, and which of them hold its amount against the ceilings of its grant. Nothing else in
 * the service lists a legal move; its events are what a write comes to.
 *
 * Invariant: an amount is held from the draft on, and let go only by what proves that it will not be spent. A void draft
 * that turns out to be accepted is held again: what was spent counts, whoever was wrong.
 */

import type { MoveTo } from '@financial-agents/writes/write'

export const withdrawalStates = ['draft', 'pending', 'succeeded', 'failed', 'cancelled', 'void'] as const

export type WithdrawalState = (typeof withdrawalStates)[number]

/** `gone` removes the row. */
export type WithdrawalEvent = MoveTo

type Row = { from: WithdrawalState; event: WithdrawalEvent; to: WithdrawalState | 'gone' }

export const transitions = [
  { from: 'draft', event: 'accepted', to: 'pending' },
  { from: 'draft', event: 'void', to: 'void' },
  { from: 'draft', event: 'succeeded', to: 'succeeded' },
  { from: 'draft', event: 'failed', to: 'failed' },
  { from: 'draft', event: 'cancelled', to: 'cancelled' },
  { from: 'pending', event: 'succeeded', to: 'succeeded' },
  { from: 'pending', event: 'failed', to: 'failed' },
  { from: 'pending', event: 'cancelled', to: 'cancelled' },
  { from: 'void', event: 'accepted', to: 'pending' },
  { from: 'void', event: 'succeeded', to: 'succeeded' },
  { from: 'void', event: 'failed', to: 'failed' },
  { from: 'void', event: 'cancelled', to: 'cancelled' },
  { from: 'void', event: 'gone', to: 'gone' },
] as const satisfies readonly Row[]

const table: ReadonlyMap<string, WithdrawalState | 'gone'> = new Map(
  transitions.map(({ from, event, to }) => [`${from}>${event}`, to]),
)

const holding: ReadonlySet<string> = new Set<WithdrawalState>(['draft', 'pending', 'succeeded'])

/** Undefined where nothing follows from the event. */
export function findNextState(state: WithdrawalState, event: WithdrawalEvent): WithdrawalState | 'gone' | undefined {
  return table.get(`${state}>${event}`)
}

/** What a move does to what is held: the amount is taken (1), let go (-1), or neither. */
export function heldChange(from: WithdrawalState, to: WithdrawalState | 'gone'): 1 | 0 | -1 {
  const [held, holds] = [holding.has(from), holding.has(to)]
  if (held === holds) return 0
  return holds ? 1 : -1
}
