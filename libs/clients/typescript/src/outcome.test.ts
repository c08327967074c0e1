import { operationStates } from '@financial-agents/contract/machine'
import { expect, test } from 'vitest'
import type { Operation } from './generated/types.ts'
import { isFinal, type Outcome, outcomeOf } from './outcome.ts'

const of = (state: Operation['state']) =>
  outcomeOf({ state, resource_id: 'r', failure_code: null, failure_detail: null, next_reconcile_at: null } as Operation)
    .status

test('every state of the machine has its outcome, and an unknown or running one is never a failure', () => {
  expect(Object.fromEntries(operationStates.map((state) => [state, of(state)]))).toEqual({
    requires_action: 'needs_owner',
    accepted: 'still_running',
    submitting: 'still_running',
    submitted: 'still_running',
    succeeded: 'succeeded',
    failed: 'failed',
    indeterminate: 'indeterminate',
    cancelled: 'cancelled',
  })
  expect(of('a_state_to_come' as Operation['state'])).toBe('still_running')
  expect(operationStates.filter((state) => isFinal({ state } as Operation))).toEqual([
    'succeeded',
    'failed',
    'cancelled',
  ])
})

test('a caller that forgets an uncertain outcome does not compile', () => {
  const outcome = outcomeOf({ state: 'indeterminate', next_reconcile_at: null } as Operation)
  // @ts-expect-error -- a type without `indeterminate` does not accept every outcome
  const careless: Exclude<Outcome, { status: 'indeterminate' }> = outcome
  expect(careless.status).toBe('indeterminate')
})
