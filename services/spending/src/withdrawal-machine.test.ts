import { expect, test } from 'vitest'
import { findNextState, heldChange, transitions, type WithdrawalEvent, withdrawalStates } from './withdrawal-machine.ts'

const events: WithdrawalEvent[] = ['accepted', 'void', 'gone', 'succeeded', 'failed', 'cancelled']

/** By hand: what becomes of each state by each event, in the order of `events`; '' nothing. */
const oracle = {
  draft: ['pending', 'void', '', 'succeeded', 'failed', 'cancelled'],
  pending: ['', '', '', 'succeeded', 'failed', 'cancelled'],
  succeeded: ['', '', '', '', '', ''],
  failed: ['', '', '', '', '', ''],
  cancelled: ['', '', '', '', '', ''],
  void: ['pending', '', 'gone', 'succeeded', 'failed', 'cancelled'],
}

/** By hand: whether the amount counts as spent. */
const held = { draft: true, pending: true, succeeded: true, failed: false, cancelled: false, void: false, gone: false }

test('every pair of a state and an event does what the copy by hand says, and nothing else', () => {
  for (const state of withdrawalStates)
    for (const [index, event] of events.entries())
      expect(findNextState(state, event) ?? '', `${state} ${event}`).toBe(oracle[state][index])
  expect(transitions).toHaveLength(Object.values(oracle).flat().filter(Boolean).length)
})

test('a move takes or lets go of the amount exactly where holding changes', () => {
  for (const { from, to } of transitions)
    expect(heldChange(from, to), `${from} ${to}`).toBe(Number(held[to]) - Number(held[from]))
})

test('an outcome is left by nothing', () => {
  for (const state of ['succeeded', 'failed', 'cancelled'] as const)
    expect(events.filter((event) => findNextState(state, event))).toEqual([])
})
