/**
 * Judges what one read proves about an operation. A pure function of the row and the result.
 *
 * Invariant (write protocol, rule 10): proof is positive. Only our reference with a final status settles an operation. The
 * results `not_found` and `unavailable`, and an unchanged state, never do. There is one exception: the provider refused that
 * very attempt, the refusal came late, and a later read does not find the operation. A review asks an operator to look, and
 * ends nothing.
 *
 * Absence proves nothing, but it removes certainty: a submitted operation that reads no longer find becomes indeterminate.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationEvent } from '@financial-agents/operation-machine/machine'
import type { LookupResult, ResourceFacts } from '@financial-agents/provider/port'
import { storableFacts, storableText } from '@financial-agents/provider/storable'
import type { OpenState, Reconciliation } from './reconciliation.ts'

export type Facts = Pick<
  Reconciliation,
  'state' | 'not_found' | 'shown' | 'late_outcome' | 'late_upstream_reference' | 'late_failure_code'
>

export type Judgement = {
  /** Null if the operation stays as it is. */
  event: OperationEvent | null
  failureCode: FailureCode | null
  failureDetail: string | null
  upstreamReference: string | null
  /** Facts that the read told of the resource; null unless the operation succeeded. */
  resource: ResourceFacts | null
  /** Null if the read said nothing. */
  evidence: { read: string; result: string; observed: string } | null
  /** Consecutive reads that did not find the operation. */
  notFound: number
  shown: boolean
  /** Reason why an operator should look; null if there is no new one. */
  review: string | null
}

const reviewAfterNotFound = 10
// A lagging replica of the provider may answer one read; the next read comes seconds later.
const unclearAfterNotFound = 2

type Found = Extract<LookupResult, { type: 'found' }>

const foundEvents: Record<OpenState, Record<Found['state'], OperationEvent | null>> = {
  submitted: { succeeded: 'settled', failed: 'settlement_failed', pending: null },
  indeterminate: { succeeded: 'proved_succeeded', failed: 'proved_failed', pending: 'proved_submitted' },
}

export function judge(facts: Facts, result: LookupResult): Judgement {
  switch (result.type) {
    case 'found':
      return judgeFound(facts, result)
    case 'not_found':
      return judgeNotFound(facts, result)
    case 'ambiguous':
      return judgeAmbiguous(facts, result)
    default:
      return unchanged(facts)
  }
}

function judgeFound(facts: Facts, result: Found): Judgement {
  const failed = result.state === 'failed'
  return {
    ...unchanged(facts),
    event: foundEvents[facts.state][result.state],
    failureCode: failed ? failureCodeOf(facts.state, result) : null,
    failureDetail: failed ? 'The provider reports that it failed.' : null,
    upstreamReference: storableText(result.upstreamReference),
    resource: result.state === 'succeeded' ? storableFacts(result.resource) : null,
    evidence: { read: result.read, result: `found_${result.state}`, observed: result.observed },
    notFound: 0,
    shown: true,
    review: isRefusal(facts.late_outcome) && !failed ? 'found although the attempt was refused' : null,
  }
}

function judgeNotFound(facts: Facts, result: Extract<LookupResult, { type: 'not_found' }>): Judgement {
  const notFound = facts.not_found + 1
  const counted = {
    ...unchanged(facts),
    evidence: { read: result.read, result: 'not_found', observed: result.observed },
    notFound,
  }
  if (facts.state === 'indeterminate' && !facts.shown && isRefusal(facts.late_outcome)) {
    return {
      ...counted,
      event: 'proved_failed',
      failureCode: facts.late_failure_code ?? 'provider_refused',
      failureDetail: 'The provider refused the attempt, and a later read did not find it.',
    }
  }
  const review = notFound >= reviewAfterNotFound ? `not found by ${notFound} reads` : null
  if (facts.state === 'indeterminate' || notFound < unclearAfterNotFound) return { ...counted, review }
  return {
    ...counted,
    event: 'result_unclear',
    failureCode: 'provider_record_missing',
    failureDetail: 'The provider accepted the request and no longer shows it.',
    review: review ?? 'the provider no longer shows what it accepted',
  }
}

function judgeAmbiguous(facts: Facts, result: Extract<LookupResult, { type: 'ambiguous' }>): Judgement {
  return {
    ...unchanged(facts),
    event: facts.state === 'submitted' ? 'result_unclear' : null,
    failureCode: 'provider_evidence_ambiguous',
    failureDetail: 'The provider gave contradicting answers about the request.',
    evidence: { read: result.read, result: 'ambiguous', observed: result.observed },
    notFound: 0,
    shown: true,
    review: `ambiguous: ${result.reason}`,
  }
}

function unchanged(facts: Facts): Judgement {
  return {
    event: null,
    failureCode: null,
    failureDetail: null,
    upstreamReference: null,
    resource: null,
    evidence: null,
    notFound: facts.not_found,
    shown: facts.shown,
    review: null,
  }
}

/** An acknowledged operation failed at settlement. An uncertain one may carry the provider's own reason. */
function failureCodeOf(state: OpenState, result: Found): FailureCode {
  return (state === 'indeterminate' ? result.failureCode : undefined) ?? 'provider_settlement_failed'
}

function isRefusal(outcome: Facts['late_outcome']): boolean {
  return outcome === 'failed' || outcome === 'unsent'
}
