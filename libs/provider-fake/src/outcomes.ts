/**
 * What an exchange with the fake provider proves. Pure functions from what came back to the port's unions.
 *
 * Invariant: `succeeded`, `submitted` and `failed` need a complete, well-formed answer about this very reference.
 * A refusal counts only with the provider's own refusal document: a bare 4xx may come from something in between, and
 * says nothing about what happened behind it. So does every 5xx, with or without a document.
 */

import type { ProviderFailureCode, ResourceFacts, SubmitOutcome } from '@financial-agents/provider/port'
import type { ExchangeResult } from './exchange.ts'
import type { KindRow } from './kinds.ts'
import { failureCodeOf, findShape, MutationAnswer, type ProviderRecord, RefusalAnswer } from './records.ts'

/** The outcome of the one attempt. */
export function outcomeOfSubmit(result: ExchangeResult, reference: string, row: KindRow): SubmitOutcome {
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
      return outcomeOfAnswer(result.status, result.body, reference, row)
  }
}

function outcomeOfAnswer(status: number, body: string, reference: string, row: KindRow): SubmitOutcome {
  if (status === 200 || status === 201 || status === 202) {
    const record = findShape(MutationAnswer, body)?.result
    const facts = record === undefined ? undefined : factsOf(record, row)
    if (facts === undefined || record?.client_reference !== reference || contradicts(record)) {
      return uncertain('provider_response_invalid', 'The provider answered, but not in the agreed form.')
    }
    if (record.status === 'active') return { type: 'succeeded', upstreamReference: record.provider_ref, ...facts }
    if (record.status === 'pending') return { type: 'submitted', upstreamReference: record.provider_ref }
    return failed(failureCodeOf(record.failure_reason), `The provider did not execute it (${record.failure_reason}).`)
  }
  if (status >= 500) return uncertain('provider_error', `The provider failed while handling it (status ${status}).`)
  const refusal = status >= 400 && status !== 408 ? findShape(RefusalAnswer, body) : undefined
  if (refusal === undefined) {
    return uncertain('provider_response_invalid', `The provider answered in an unknown form (status ${status}).`)
  }
  if (status === 401) {
    return failed('provider_authentication_failed', unacceptedCredentials)
  }
  return failed(failureCodeOf(refusal.error.code), `The provider refused it (${refusal.error.code}).`)
}

/**
 * Why the provider definitively will not do what is no mutation: its refusal document, or our own refusal to send.
 * A call that may be made again is not refused for coming too often or too slowly.
 */
export function findRefusal(
  result: ExchangeResult,
): { failureCode: ProviderFailureCode; failureDetail: string } | undefined {
  if (result.type === 'unwritable') {
    return { failureCode: 'submission_invalid', failureDetail: 'The request could not be put on the wire.' }
  }
  if (result.type !== 'answered' || result.status < 400 || result.status >= 500) return undefined
  if (result.status === 408 || result.status === 429) return undefined
  const refusal = findShape(RefusalAnswer, result.body)
  if (refusal === undefined) return undefined
  if (result.status === 401) {
    return { failureCode: 'provider_authentication_failed', failureDetail: unacceptedCredentials }
  }
  const failureDetail = `The provider refused it (${refusal.error.code}).`
  return { failureCode: failureCodeOf(refusal.error.code), failureDetail }
}

const unacceptedCredentials = 'The provider did not accept the credentials of the connection.'

/**
 * Whether the provider knows the credentials and will not answer them. Other answers between 400 and 500 speak of the request,
 * of how often it came, or come from something in between.
 */
export function refusesConnection(result: ExchangeResult): boolean {
  return result.type === 'answered' && result.status === 403 && findRefusal(result) !== undefined
}

/** What the row takes from a final record; undefined where the record lacks it. */
export function factsOf(record: ProviderRecord, { findFacts }: KindRow): { resource?: ResourceFacts } | undefined {
  if (findFacts === undefined || record.status !== 'active') return {}
  const resource = findFacts(record)
  return resource === undefined ? undefined : { resource }
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

/** A settlement time on an unsettled record (it went back from a final state), or none on a final one; a baseless failure. */
export function contradicts(record: ProviderRecord): boolean {
  const settled = record.settled_at !== null
  return settled === (record.status === 'pending') || (record.failure_reason !== null) !== (record.status === 'failed')
}

function failed(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'failed', failureCode, failureDetail }
}

function uncertain(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'uncertain', failureCode, failureDetail }
}
