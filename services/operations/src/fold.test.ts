/** The moves that become one row of history. */

import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { expect, test } from 'vitest'
import { rowsOf } from './fold.ts'

const at = '2026-01-02T03:04:05.678Z'
const move = (changes: Partial<OperationTransition>) => ({ operation_id: 'one', by: 'submitter', at, ...changes })
const claim = move({ sequence: 2, from: 'accepted', event: 'claim', to: 'submitting' }) as OperationTransition
const outcome = move({
  sequence: 3,
  from: 'submitting',
  event: 'provider_completed',
  to: 'succeeded',
}) as OperationTransition

test.each([
  ['absent', claim],
  ['null', { ...claim, failure_code: null, reason: null, evidence: null }],
])('a claim whose facts are %s is one row with the move after it', (_facts, bare) => {
  expect(rowsOf([bare, outcome])).toEqual([{ ...outcome, claimed_at: at }])
})

test('a claim with a fact of its own, or without the move after it, is a row', () => {
  expect(rowsOf([claim])).toEqual([{ ...claim, claimed_at: null }])
  expect(rowsOf([{ ...claim, reason: 'a reason' }, outcome])).toHaveLength(2)
  expect(rowsOf([claim, { ...outcome, sequence: 4 }])).toHaveLength(2)
})
