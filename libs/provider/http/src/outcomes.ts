/**
 * The proof that an exchange with a provider gives, as the port's unions. Pure functions.
 *
 * Invariant: of a request that was sent, `succeeded`, `submitted` and `failed` need a complete, well-formed answer. A
 * record has to be of this very reference, and a refusal needs the provider's own refusal document. A bare 4xx may come from
 * a proxy and says nothing about the provider behind it. A 5xx proves nothing, with or without a document.
 */

import type { ProviderFailureCode, ResourceFacts, SubmitOutcome } from '@financial-agents/provider-port/port'
import { detailCodes, mutationAnswer, type ProviderRecord, refusal as refusalDocument } from './api/records.ts'
import type { ExchangeResult } from './exchange.ts'
import type { KindRow } from './kinds.ts'
import { findShape } from './shapes.ts'

/** The outcome of the one attempt. */
export function outcomeOfSubmit(result: ExchangeResult, reference: string, row: KindRow): SubmitOutcome {
  switch (result.type) {
    case 'unwritable':
      return failed('submission_invalid', 'The submission could not be put on the wire; nothing was sent.')
    case 'unsent':
      return {
        type: 'unsent',
        failureCode: 'provider_unreachable',
        failureDetail: 'The provider could not be reached; nothing was sent.',
      }
    case 'lost':
      return uncertain(lostCodes[result.why], lostDetail[result.why])
    default:
      return outcomeOfAnswer(result.status, result.body, reference, row)
  }
}

/** The words are read by customers, so they name no error of a library. */
const lostDetail = {
  timeout: 'The request was sent; its answer did not come in time.',
  connection: 'The request was sent; the connection broke before its answer came.',
  unreadable: 'The request was sent; its answer could not be read.',
} as const

function outcomeOfAnswer(status: number, body: string, reference: string, row: KindRow): SubmitOutcome {
  if (status === 200 || status === 201 || status === 202) {
    const record = findShape(mutationAnswer, body)?.data
    const facts = record === undefined ? undefined : factsOf(record, row)
    if (facts === undefined || record?.client_reference !== reference || contradicts(record)) {
      return uncertain('provider_response_invalid', 'The provider answered, but not in the agreed form.')
    }
    if (record.status === 'succeeded') return { type: 'succeeded', upstreamReference: record.reference, ...facts }
    if (record.status === 'pending') return { type: 'submitted', upstreamReference: record.reference }
    return failed(failureCodeOf(record.failure_code), `The provider did not execute it (${record.failure_code}).`)
  }
  if (status >= 500) return uncertain('provider_error', `The provider failed while handling it (status ${status}).`)
  const refusal = status >= 400 && status !== 408 ? findShape(refusalDocument, body) : undefined
  if (refusal === undefined) {
    return uncertain('provider_response_invalid', `The provider answered in an unknown form (status ${status}).`)
  }
  if (status === 401) {
    return failed('provider_authentication_failed', unacceptedCredentials)
  }
  return failed(failureCodeOf(refusal.error.code), `The provider refused it (${refusal.error.code}).`)
}

/**
 * The definitive refusal of a call that is no mutation: the provider's refusal document, or our own refusal to send it.
 * Too many requests and a request time-out are not refusals, because such a call may be made again.
 */
export function findRefusal(
  result: ExchangeResult,
): { failureCode: ProviderFailureCode; failureDetail: string } | undefined {
  if (result.type === 'unwritable') {
    return { failureCode: 'submission_invalid', failureDetail: 'The request could not be put on the wire.' }
  }
  if (result.type !== 'answered' || result.status < 400 || result.status >= 500) return undefined
  if (result.status === 408 || result.status === 429) return undefined
  const refusal = findShape(refusalDocument, result.body)
  if (refusal === undefined) return undefined
  if (result.status === 401) {
    return { failureCode: 'provider_authentication_failed', failureDetail: unacceptedCredentials }
  }
  const failureDetail = `The provider refused it (${refusal.error.code}).`
  return { failureCode: failureCodeOf(refusal.error.code), failureDetail }
}

const unacceptedCredentials = 'The provider did not accept the credentials of the connection.'

/**
 * True if the provider knows the credentials and refuses to answer them. Other 4xx answers are about the request or its rate,
 * or come from a proxy.
 */
export function refusesConnection(result: ExchangeResult): boolean {
  return result.type === 'answered' && result.status === 403 && findRefusal(result) !== undefined
}

/** The row's facts of a final record; undefined if the record lacks them. */
export function factsOf(record: ProviderRecord, { findFacts }: KindRow): { resource?: ResourceFacts } | undefined {
  if (findFacts === undefined || record.status !== 'succeeded') return {}
  const resource = findFacts(record)
  return resource === undefined ? undefined : { resource }
}

/** The reason why a call that moves nothing has no usable answer; undefined if it was answered with one of `statuses`. */
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
      if (statuses.includes(result.status)) return undefined
      return wantsIdentity(result) ? 'provider_identity_required' : statusReason(result.status)
  }
}

function wantsIdentity(result: ExchangeResult): boolean {
  return refusesConnection(result) && findRefusal(result)?.failureCode === 'provider_identity_required'
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

/**
 * True if a record contradicts itself: a pending record has a settlement time (it left a final state), a final record has
 * none, or the failure code does not fit the status.
 */
export function contradicts(record: ProviderRecord): boolean {
  const settled = record.settled_at !== null
  return settled === (record.status === 'pending') || (record.failure_code !== null) !== (record.status === 'failed')
}

function failed(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'failed', failureCode, failureDetail }
}

function uncertain(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'uncertain', failureCode, failureDetail }
}

const aboutDetails: ReadonlySet<string> = new Set(detailCodes)

/** Our code for the reason that the provider gives for a definitive failure. */
export function failureCodeOf(code: string | null): ProviderFailureCode {
  if (code === 'identity_required') return 'provider_identity_required'
  if (code === 'submission_expired') return 'submission_expired'
  return code !== null && aboutDetails.has(code) ? 'provider_rejected_details' : 'provider_refused'
}
