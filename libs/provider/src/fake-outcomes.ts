/**
 * What an exchange with the fake provider proves. Pure functions from what came back to the port's unions.
 *
 * Invariant: `succeeded`, `submitted` and `failed` need a complete, well-formed answer about this very reference.
 * A refusal counts only with the provider's own refusal document: a bare 4xx may come from something in between, and
 * says nothing about what happened behind it. So does every 5xx, with or without a document.
 */

import type { ExchangeResult } from './exchange.ts'
import {
  failureCodeOf,
  findShape,
  MutationAnswer,
  type ProviderRecord,
  RefusalAnswer,
  SearchAnswer,
} from './fake-records.ts'
import type { LookupRequest, LookupResult, ProviderFailureCode, SubmitOutcome } from './port.ts'

/** The outcome of the one attempt. */
export function outcomeOfSubmit(result: ExchangeResult, reference: string): SubmitOutcome {
  switch (result.type) {
    case 'unwritable':
      return failed('submission_invalid', 'The submission could not be put on the wire; nothing was sent.')
    case 'unsent':
      return {
        type: 'unsent',
        failureCode: 'provider_unreachable',
        failureDetail: `The provider could not be reached; nothing was sent (${result.cause}).`,
      }
    case 'lost':
      return uncertain(lostCodes[result.why], `The request was sent; its answer was lost (${result.cause}).`)
    default:
      return outcomeOfAnswer(result.status, result.body, reference)
  }
}

function outcomeOfAnswer(status: number, body: string, reference: string): SubmitOutcome {
  if (status === 200 || status === 201 || status === 202) {
    const record = findShape(MutationAnswer, body)?.result
    if (record === undefined || record.client_reference !== reference || contradicts(record)) {
      return uncertain('provider_response_invalid', 'The provider answered, but not in the agreed form.')
    }
    if (record.status === 'active') return { type: 'succeeded', upstreamReference: record.provider_ref }
    if (record.status === 'pending') return { type: 'submitted', upstreamReference: record.provider_ref }
    return failed(failureCodeOf(record.failure_reason), `The provider did not execute it (${record.failure_reason}).`)
  }
  if (status >= 500) return uncertain('provider_error', `The provider failed while handling it (status ${status}).`)
  const refusal = status >= 400 && status !== 408 ? findShape(RefusalAnswer, body) : undefined
  if (refusal === undefined) {
    return uncertain('provider_response_invalid', `The provider answered in an unknown form (status ${status}).`)
  }
  if (status === 401) {
    return failed('provider_authentication_failed', 'The provider did not accept the credentials of the connection.')
  }
  return failed(failureCodeOf(refusal.error.code), `The provider refused it (${refusal.error.code}).`)
}

/** What a search by reference proves. */
export function resultOfLookup(result: ExchangeResult, read: string, request: LookupRequest): LookupResult {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered') {
    return { type: 'unavailable', reason: reason ?? 'provider_response_invalid' }
  }
  const answer = findShape(SearchAnswer, result.body)
  if (answer === undefined) return { type: 'unavailable', reason: 'provider_response_invalid' }

  const observed = observedText(read, answer.results, answer.more)
  const ambiguous = (reason: string): LookupResult => ({ type: 'ambiguous', read, reason, observed })
  const [record, ...others] = answer.results
  if (others.length > 0 || (record !== undefined && answer.more)) return ambiguous('more than one record')
  // An incomplete empty page is no answer at all.
  if (answer.more) return { type: 'unavailable', reason: 'provider_response_invalid' }
  if (record === undefined) return { type: 'not_found', read, observed }
  if (record.client_reference !== request.reference) return ambiguous('record of another reference')
  if (request.upstreamReference !== null && record.provider_ref !== request.upstreamReference) {
    return ambiguous('another record than the one acknowledged')
  }
  if (contradicts(record)) return ambiguous('record contradicts itself')

  const found = { type: 'found', read, upstreamReference: record.provider_ref, observed } as const
  if (record.status === 'pending') return { ...found, state: 'pending' }
  if (record.status === 'active') return { ...found, state: 'succeeded' }
  return { ...found, state: 'failed', failureCode: failureCodeOf(record.failure_reason) }
}

/** Why a call that moves nothing gave no usable answer; undefined where it answered with one of `statuses`. */
export function unavailableReason(
  result: ExchangeResult,
  statuses: readonly number[] = [200],
): ProviderFailureCode | undefined {
  switch (result.type) {
    case 'unwritable':
      return 'submission_invalid'
    case 'unsent':
      return 'provider_unreachable'
    case 'lost':
      return lostCodes[result.why]
    default:
      return statuses.includes(result.status) ? undefined : statusReason(result.status)
  }
}

function statusReason(status: number): ProviderFailureCode {
  if (status === 401) return 'provider_authentication_failed'
  if (status >= 500) return 'provider_error'
  return status >= 400 ? 'provider_refused' : 'provider_response_invalid'
}

const lostCodes = {
  timeout: 'provider_timeout',
  connection: 'provider_connection_lost',
  unreadable: 'provider_response_invalid',
} as const satisfies Record<string, ProviderFailureCode>

/** A settlement time on an unsettled record (it went back from a final state), or none on a final one; a baseless failure. */
function contradicts(record: ProviderRecord): boolean {
  const settled = record.settled_at !== null
  return settled === (record.status === 'pending') || (record.failure_reason !== null) !== (record.status === 'failed')
}

/** Members in a fixed order, records sorted: equal facts give equal text. None of them is personal. */
function observedText(read: string, records: readonly ProviderRecord[], more: boolean): string {
  const lines = records.map((record) =>
    JSON.stringify({
      provider_ref: record.provider_ref,
      client_reference: record.client_reference,
      status: record.status,
      settled_at: record.settled_at,
      failure_reason: record.failure_reason,
    }),
  )
  return `${read} more=${more} [${lines.toSorted().join(',')}]`
}

function failed(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'failed', failureCode, failureDetail }
}

function uncertain(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'uncertain', failureCode, failureDetail }
}
