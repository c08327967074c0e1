import { describe, expect, test } from 'vitest'
import { apply, operationEvents, operationStates, terminalStates, transitions } from './machine.ts'

// Copied by hand from the contract and the decisions, never from the table under test. Each line is a state, and the
// columns are the events in the order of `columns`. A dot is an illegal move.
const columns = [
  'accept',
  'accept_for_approval',
  'approval_granted',
  'approval_declined',
  'approval_expired',
  'approval_failed',
  'claim',
  'fail_before_submission',
  'cancel_before_submission',
  'provider_accepted',
  'provider_completed',
  'provider_refused',
  'outcome_unknown',
  'lease_expired',
  'settled',
  'settlement_failed',
  'result_unclear',
  'proved_submitted',
  'proved_succeeded',
  'proved_failed',
] as const

const words: Record<string, string | undefined> = {
  acc: 'accepted',
  act: 'requires_action',
  can: 'cancelled',
  fai: 'failed',
  sng: 'submitting',
  std: 'submitted',
  suc: 'succeeded',
  ind: 'indeterminate',
}

const oracle: Record<string, string> = {
  null: '           acc act  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . ',
  requires_action: ' .   .  acc can can fai  .   .   .   .   .   .   .   .   .   .   .   .   .   . ',
  accepted: '        .   .   .   .   .   .  sng fai can  .   .   .   .   .   .   .   .   .   .   . ',
  submitting: '      .   .   .   .   .   .   .   .   .  std suc fai ind ind  .   .   .   .   .   . ',
  submitted: '       .   .   .   .   .   .   .   .   .   .   .   .   .   .  suc fai ind  .   .   . ',
  indeterminate: '   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .  std suc fai',
  succeeded: '       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . ',
  failed: '          .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . ',
  cancelled: '       .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . ',
}

describe('the operation machine', () => {
  test('the oracle names every event and every state', () => {
    expect([...columns].toSorted()).toEqual([...operationEvents].toSorted())
    expect(Object.keys(oracle).toSorted()).toEqual(['null', ...operationStates].toSorted())
  })

  for (const [from, row] of Object.entries(oracle)) {
    const cells = row.trim().split(/\s+/)
    for (const [index, event] of columns.entries()) {
      const cell = cells[index] ?? 'missing'
      const expected = cell === '.' ? undefined : words[cell]
      test(`${from} on ${event}: ${expected ?? 'illegal'}`, () => {
        const state = from === 'null' ? null : (from as (typeof operationStates)[number])
        const applied = apply(state, event)
        expect(applied.ok ? applied.to : undefined).toBe(expected)
      })
    }
  }

  test('a terminal state has no way out', () => {
    for (const state of terminalStates) expect(transitions.filter((row) => (row.from as string) === state)).toEqual([])
  })
})
