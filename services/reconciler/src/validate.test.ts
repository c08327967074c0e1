/** The decision on each result of a read, against a table written by hand. */

import type { LookupResult } from '@financial-agents/provider-port/port'
import { describe, expect, test } from 'vitest'
import type { OpenState } from './reconciliation.ts'
import { type Facts, type Reading, validate as validateRead } from './validate.ts'

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

const deadlines = { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: 500 }
const validate = (row: Facts, result: LookupResult, reading: Partial<Reading> = {}) =>
  validateRead(row, result, { tookMs: 20, deadlines: null, ...reading })

const facts = (changes: Partial<Facts> = {}): Facts => ({
  state: 'indeterminate',
  not_found: 0,
  shown: false,
  valid_until: new Date('2026-01-01T00:00:30Z'),
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
  const decision = validate(facts({ state, shown: state === 'submitted' }), results[result])
  expect(decision).toMatchObject({ event, failureCode })
  expect(decision.evidence?.result ?? null).toBe(evidence)
  expect(decision.review !== null).toBe(review)
})

test('the tenth read that does not find it asks for a review, and none settles it', () => {
  const [ninth, tenth, later] = [8, 9, 500].map((not_found) => validate(facts({ not_found }), results.notFound))
  expect(ninth).toMatchObject({ event: null, review: null, notFound: 9 })
  expect(tenth).toMatchObject({ event: null, review: 'not found by 10 reads', notFound: 10 })
  expect(later).toMatchObject({ event: null })
})

describe('a submitted operation that the provider no longer shows', () => {
  const submitted = (not_found: number) => facts({ state: 'submitted', shown: true, not_found })

  test('stays submitted after one read that does not find it: reads may lag behind', () => {
    expect(validate(submitted(0), results.notFound)).toMatchObject({ event: null, notFound: 1, review: null })
  })

  test('is indeterminate after two such reads in a row, and an operator looks', () => {
    expect(validate(submitted(1), results.notFound)).toMatchObject({
      event: 'result_unclear',
      failureCode: 'provider_record_missing',
      notFound: 2,
      review: 'the provider no longer shows what it accepted',
    })
  })

  test('is found in between: the count begins anew, so that it does not waver', () => {
    expect(validate(submitted(1), results.pending)).toMatchObject({ event: null, notFound: 0 })
    const back = validate(facts({ shown: true, not_found: 7 }), results.pending)
    expect(back).toMatchObject({ event: 'proved_submitted', notFound: 0 })
  })

  test('is not counted as missing by a read without an answer', () => {
    expect(validate(submitted(1), results.unavailable)).toMatchObject({ event: null, notFound: 1 })
  })

  test('is settled by no number of such reads, nor by a late refusal', () => {
    for (const not_found of [2, 9, 500])
      expect(validate(facts({ shown: true, not_found, late_outcome: 'failed' }), results.notFound).event).toBeNull()
  })
})

describe('a late answer', () => {
  test('that refuses, with a later read that does not find it, settles failed', () => {
    for (const late_outcome of ['failed', 'unsent'] as const)
      expect(
        validate(facts({ late_outcome, late_failure_code: 'provider_unreachable' }), results.notFound),
      ).toMatchObject({
        event: 'proved_failed',
        failureCode: 'provider_unreachable',
      })
  })

  test('that refuses proves nothing by itself, nor once the provider has shown the request', () => {
    expect(validate(facts({ late_outcome: 'failed' }), results.unavailable).event).toBeNull()
    expect(validate(facts({ late_outcome: 'failed', shown: true }), results.notFound).event).toBeNull()
    expect(validate(facts({ late_outcome: 'failed', state: 'submitted' }), results.notFound).event).toBeNull()
  })

  test('that refuses, contradicted by a read that finds it: the read counts and an operator looks', () => {
    expect(validate(facts({ late_outcome: 'failed' }), results.succeeded)).toMatchObject({
      event: 'proved_succeeded',
      review: 'found although the attempt was refused',
    })
  })

  test('that does not refuse never settles', () => {
    for (const late_outcome of ['succeeded', 'submitted', 'uncertain'] as const)
      expect(validate(facts({ late_outcome }), results.notFound).event).toBeNull()
  })
})

describe('absence by the deadline', () => {
  const validUntilMs = Date.parse('2026-01-01T00:00:30Z')
  /** A read that does not find the operation, `afterMs` after the deadline by the provider's clock. */
  const absentAfter = (afterMs: number): LookupResult => ({
    ...results.notFound,
    providerTime: new Date(validUntilMs + afterMs),
  })

  test('is proven by a read that began after the deadline and the margin, by the provider’s clock', () => {
    expect(validate(facts(), absentAfter(521), { deadlines })).toMatchObject({
      event: 'proved_failed',
      failureCode: 'submission_expired',
      evidence: { result: 'not_found' },
    })
  })

  test('is not proven within the margin, nor by a read that began within it, and the next read is planned to prove it', () => {
    for (const [afterMs, tookMs] of [
      [-10_000, 20],
      [0, 20],
      [500, 0],
      [520, 20],
      [2_000, 1_500],
    ] as const) {
      const decision = validate(facts(), absentAfter(afterMs), { deadlines, tookMs })
      expect(decision).toMatchObject({ event: null, provableInMs: 501 - afterMs + tookMs })
    }
  })

  test('is not proven without both promises, without the provider’s clock, or without a known deadline', () => {
    const late = absentAfter(3_600_000)
    for (const promise of [
      null,
      { ...deadlines, refusesAfterDeadline: false },
      { ...deadlines, completeByReference: false },
    ])
      expect(validate(facts(), late, { deadlines: promise })).toMatchObject({ event: null, provableInMs: null })
    expect(validate(facts(), results.notFound, { deadlines }).event).toBeNull()
    expect(validate(facts({ valid_until: null }), late, { deadlines }).event).toBeNull()
  })

  test('is never proven once the provider has accepted or shown it', () => {
    const late = absentAfter(3_600_000)
    for (const changes of [
      { shown: true },
      { late_outcome: 'succeeded' },
      { late_outcome: 'submitted' },
      { state: 'submitted', shown: true },
    ] as const)
      expect(validate(facts(changes), late, { deadlines }).event).not.toBe('proved_failed')
  })

  test('leaves the code to a late refusal', () => {
    const refused = facts({ late_outcome: 'failed', late_failure_code: 'provider_rejected_details' })
    expect(validate(refused, absentAfter(3_600_000), { deadlines }).failureCode).toBe('provider_rejected_details')
  })

  test('plans no early reads without end: the clock of the provider may stand still', () => {
    expect(validate(facts({ not_found: 8 }), absentAfter(0), { deadlines }).provableInMs).toBe(521)
    expect(validate(facts({ not_found: 9 }), absentAfter(0), { deadlines }).provableInMs).toBeNull()
  })
})
