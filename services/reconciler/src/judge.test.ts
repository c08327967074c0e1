/** What each read proves, against a table written by hand. */

import type { LookupResult } from '@financial-agents/provider/port'
import { describe, expect, test } from 'vitest'
import { type Facts, judge } from './judge.ts'
import type { OpenState } from './reconciliation.ts'

const read = 'beneficiary_by_reference'
const observed = 'text'
const upstreamReference = 'up_1'
const results = {
  succeeded: { type: 'found', state: 'succeeded', read, observed, upstreamReference },
  failed: {
    type: 'found',
    state: 'failed',
    read,
    observed,
    upstreamReference,
    failureCode: 'provider_rejected_details',
  },
  pending: { type: 'found', state: 'pending', read, observed, upstreamReference },
  notFound: { type: 'not_found', read, observed },
  ambiguous: { type: 'ambiguous', read, observed, reason: 'more than one record' },
  unavailable: { type: 'unavailable', reason: 'provider_timeout' },
} as const satisfies Record<string, LookupResult>

const facts = (changes: Partial<Facts> = {}): Facts => ({
  state: 'indeterminate',
  not_found: 0,
  shown: false,
  late_outcome: null,
  late_upstream_reference: null,
  late_failure_code: null,
  ...changes,
})

type Row = [
  OpenState,
  keyof typeof results,
  event: string | null,
  failureCode: string | null,
  evidence: string | null,
  review: boolean,
]
const table: Row[] = [
  ['submitted', 'succeeded', 'settled', null, 'found_succeeded', false],
  ['submitted', 'failed', 'settlement_failed', 'provider_settlement_failed', 'found_failed', false],
  ['submitted', 'pending', null, null, 'found_pending', false],
  ['submitted', 'notFound', null, null, 'not_found', false],
  ['submitted', 'ambiguous', 'result_unclear', 'provider_evidence_ambiguous', 'ambiguous', true],
  ['submitted', 'unavailable', null, null, null, false],
  ['indeterminate', 'succeeded', 'proved_succeeded', null, 'found_succeeded', false],
  ['indeterminate', 'failed', 'proved_failed', 'provider_rejected_details', 'found_failed', false],
  ['indeterminate', 'pending', 'proved_submitted', null, 'found_pending', false],
  ['indeterminate', 'notFound', null, null, 'not_found', false],
  ['indeterminate', 'ambiguous', null, 'provider_evidence_ambiguous', 'ambiguous', true],
  ['indeterminate', 'unavailable', null, null, null, false],
]

test.each(table)('%s and %s: %s', (state, result, event, failureCode, evidence, review) => {
  const judgement = judge(facts({ state, shown: state === 'submitted' }), results[result])
  expect(judgement).toMatchObject({ event, failureCode })
  expect(judgement.evidence?.result ?? null).toBe(evidence)
  expect(judgement.review !== null).toBe(review)
})

test('the tenth read that does not find it asks for a review, and none settles it', () => {
  for (const state of ['submitted', 'indeterminate'] as const) {
    expect(judge(facts({ state, not_found: 8 }), results.notFound)).toMatchObject({
      event: null,
      review: null,
      notFound: 9,
    })
    expect(judge(facts({ state, not_found: 9 }), results.notFound)).toMatchObject({
      event: null,
      notFound: 10,
      review: 'not found by 10 reads',
    })
    expect(judge(facts({ state, not_found: 500 }), results.notFound)).toMatchObject({ event: null })
  }
})

describe('a late answer', () => {
  test('that refuses, with a later read that does not find it, settles failed', () => {
    for (const late_outcome of ['failed', 'unsent'] as const)
      expect(judge(facts({ late_outcome, late_failure_code: 'provider_unreachable' }), results.notFound)).toMatchObject(
        {
          event: 'proved_failed',
          failureCode: 'provider_unreachable',
        },
      )
  })

  test('that refuses proves nothing by itself, nor once the provider has shown the request', () => {
    expect(judge(facts({ late_outcome: 'failed' }), results.unavailable).event).toBeNull()
    expect(judge(facts({ late_outcome: 'failed', shown: true }), results.notFound).event).toBeNull()
    expect(judge(facts({ late_outcome: 'failed', state: 'submitted' }), results.notFound).event).toBeNull()
  })

  test('that refuses, contradicted by a read that finds it: the read counts and an operator looks', () => {
    expect(judge(facts({ late_outcome: 'failed' }), results.succeeded)).toMatchObject({
      event: 'proved_succeeded',
      review: 'found although the attempt was refused',
    })
  })

  test('that does not refuse never settles', () => {
    for (const late_outcome of ['succeeded', 'submitted', 'uncertain'] as const)
      expect(judge(facts({ late_outcome }), results.notFound).event).toBeNull()
  })
})
