/**
 * Validates the proof that one read gives about an operation. A pure function of the row and the result.
 *
 * Invariant (write protocol, rule 10): proof is positive. Only our reference with a final status settles an operation. The
 * results `not_found` and `unavailable`, and an unchanged state, never do, with two exceptions:
 * - the provider refused that very attempt, the refusal came late, and a later read does not find the operation;
 * - the provider promises to execute nothing after the deadline and to show all that it has begun, and a read that began after
 *   the deadline does not find the operation (rule 19).
 * A review asks an operator to look, and ends nothing.
 *
 * Absence proves nothing, but it removes certainty: a submitted operation that reads no longer find becomes indeterminate.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationEvent } from '@financial-agents/contract/machine'
import type { DeadlinePromise, LookupResult, ResourceFacts } from '@financial-agents/provider-port/port'
import { storableFacts, storableText } from '@financial-agents/provider-port/storable'
import type { OpenState, Reconciliation } from './reconciliation.ts'

export type Facts = Pick<
  Reconciliation,
  'state' | 'not_found' | 'shown' | 'valid_until' | 'late_outcome' | 'late_upstream_reference' | 'late_failure_code'
>

/** The circumstances of the read. */
export type Reading = {
  /** The duration of the read by this process's monotonic clock, rounded up. */
  readonly tookMs: number
  readonly deadlines: DeadlinePromise | null
}

export type Decision = {
  /** Null if the operation stays as it is. */
  event: OperationEvent | null
  failureCode: FailureCode | null
  failureDetail: string | null
  upstreamReference: string | null
  /** Facts that the read reported of the resource; null unless the operation succeeded. */
  resource: ResourceFacts | null
  /** Null if the read said nothing. */
  evidence: { read: string; result: string; observed: string } | null
  /** Consecutive reads that did not find the operation. */
  notFound: number
  shown: boolean
  /** The time after which a read that does not find the operation will prove its absence. Null: none will, as far as is known. */
  provableInMs: number | null
  /** Reason why an operator should look; null if there is no new one. */
  review: string | null
}

const reviewAfterNotFound = 10
// A lagging replica of the provider may answer one read; the next read comes seconds later.
const unclearAfterNotFound = 2

type FoundRecord = Extract<LookupResult, { type: 'found' }>

const foundEvents: Record<OpenState, Record<FoundRecord['state'], OperationEvent | null>> = {
  submitted: { succeeded: 'settled', failed: 'settlement_failed', pending: null },
  indeterminate: { succeeded: 'proved_succeeded', failed: 'proved_failed', pending: 'proved_submitted' },
}

export function validate(facts: Facts, result: LookupResult, reading: Reading): Decision {
  switch (result.type) {
    case 'found':
      return validateFound(facts, result)
    case 'not_found':
      return validateNotFound(facts, result, reading)
    case 'ambiguous':
      return validateAmbiguous(facts, result)
    default:
      return unchanged(facts)
  }
}

function validateFound(facts: Facts, result: FoundRecord): Decision {
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

type NotFound = Extract<LookupResult, { type: 'not_found' }>

function validateNotFound(facts: Facts, result: NotFound, reading: Reading): Decision {
  const notFound = facts.not_found + 1
  const provableInMs = leftUntilProvable(facts, result, reading)
  const counted = {
    ...unchanged(facts),
    evidence: { read: result.read, result: 'not_found', observed: result.observed },
    notFound,
    // Limits the additional reads, even if the clock of the provider stands still.
    provableInMs: notFound < reviewAfterNotFound ? provableInMs : null,
  }
  if (facts.state === 'indeterminate' && !facts.shown && isRefusal(facts.late_outcome)) {
    return {
      ...counted,
      event: 'proved_failed',
      failureCode: facts.late_failure_code ?? 'provider_refused',
      failureDetail: 'The provider refused the attempt, and a later read did not find it.',
    }
  }
  if (provableInMs !== null && provableInMs <= 0) {
    return {
      ...counted,
      event: 'proved_failed',
      failureCode: 'submission_expired',
      failureDetail: 'The provider did not execute it before its deadline, and will not any more.',
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

/**
 * The time until a read can prove absence by the deadline; 0 or less: this read proves it. Null: no read can.
 *
 * The provider's clock decides, because its clock ends the deadline. It showed `providerTime` at some moment of the read, so the
 * read began at most `tookMs` before that time, by the same clock. Our own clock, which fixed the deadline, decides nothing.
 */
function leftUntilProvable(facts: Facts, { providerTime }: NotFound, { tookMs, deadlines }: Reading): number | null {
  if (!deadlines?.refusesAfterDeadline || !deadlines.completeByReference) return null
  if (facts.valid_until === null || providerTime === undefined) return null
  // The provider accepted or showed the operation once. Its reads are then not as complete as it promises.
  if (facts.state !== 'indeterminate' || facts.shown || isAcceptance(facts.late_outcome)) return null
  const begunAtMs = providerTime.getTime() - tookMs
  return facts.valid_until.getTime() + deadlines.clockMarginMs - begunAtMs + 1
}

function validateAmbiguous(facts: Facts, result: Extract<LookupResult, { type: 'ambiguous' }>): Decision {
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

function unchanged(facts: Facts): Decision {
  return {
    event: null,
    failureCode: null,
    failureDetail: null,
    upstreamReference: null,
    resource: null,
    evidence: null,
    notFound: facts.not_found,
    shown: facts.shown,
    provableInMs: null,
    review: null,
  }
}

/** An acknowledged operation failed at settlement. An uncertain one may carry the provider's own reason. */
function failureCodeOf(state: OpenState, result: FoundRecord): FailureCode {
  return (state === 'indeterminate' ? result.failureCode : undefined) ?? 'provider_settlement_failed'
}

function isRefusal(outcome: Facts['late_outcome']): boolean {
  return outcome === 'failed' || outcome === 'unsent'
}

function isAcceptance(outcome: Facts['late_outcome']): boolean {
  return outcome === 'succeeded' || outcome === 'submitted'
}
