/** The events of a row: complete for every consumer, and no fact twice in one message. */

import { expect, test } from 'vitest'
import { newItem } from './items.test-helper.ts'
import { claimedRow } from './store/claims.ts'
import { nothingHeard, type SubmissionRow, unconfirmedTransitionsOf } from './submission.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const claimed = claimedRow(newItem(at))
const succeeded: SubmissionRow = {
  ...claimed,
  state: 'succeeded',
  sequence: claimed.sequence + 1,
  outcome_event: 'provider_completed',
  outcome_at: at,
  upstream_reference: 'reference',
}
const facts = ['resource_id', 'subject', 'grant_id', 'binding_id', 'traceparent']

test('a claim without its outcome carries every fact of the operation', () => {
  const [claim, ...others] = unconfirmedTransitionsOf(claimed, nothingHeard)
  expect(others).toEqual([])
  expect(claim).toMatchObject({ sequence: 2, to: 'submitting', owner_id: claimed.owner_id, grant_id: claimed.grant_id })
  for (const fact of facts) expect(claim).toHaveProperty(fact)
})

test('a claim beside its outcome carries what identifies it, and leaves the facts to the outcome', () => {
  const [claim, outcome] = unconfirmedTransitionsOf(succeeded, nothingHeard)
  for (const fact of facts) {
    expect(claim).not.toHaveProperty(fact)
    expect(outcome).toHaveProperty(fact)
  }
  const holder = { kind: claimed.kind, owner_id: claimed.owner_id, client_id: claimed.client_id }
  expect(claim).toMatchObject({ ...holder, sequence: 2, from: 'accepted', to: 'submitting', next_reconcile_at: null })
  expect(outcome).toMatchObject({
    ...holder,
    sequence: 3,
    from: 'submitting',
    to: 'succeeded',
    upstream_reference: 'reference',
  })
})

test('an outcome whose claim is confirmed is reported alone and complete', () => {
  const [outcome, ...others] = unconfirmedTransitionsOf(succeeded, { ...nothingHeard, operationsSequence: 2 })
  expect(others).toEqual([])
  for (const fact of facts) expect(outcome).toHaveProperty(fact)
})

test('a handoff that operations has confirmed is still reported to the reconciler, without the claim', () => {
  const submitted: SubmissionRow = { ...succeeded, state: 'submitted', outcome_event: 'provider_accepted' }
  const reported = unconfirmedTransitionsOf(submitted, { ...nothingHeard, operationsSequence: 3 })
  expect(reported.map(({ to, next_reconcile_at }) => [to, next_reconcile_at])).toEqual([
    ['submitted', '2026-01-02T03:04:06.678Z'],
  ])
  expect(unconfirmedTransitionsOf(submitted, { operationsSequence: 3, reconciler: true })).toEqual([])
})
