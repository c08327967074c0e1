/**
 * The proof that an exchange with Increase gives, as the port's unions. Pure functions.
 *
 * Invariant: `failed` needs the error document (RFC 9457) with a type that Increase documents for the status as a refusal. Too many
 * requests, a used idempotency key, 408, 5xx and every other answer prove nothing.
 */

import type { ExchangeResult } from '@financial-agents/provider-http/exchange'
import { findShape, readShape } from '@financial-agents/provider-http/shapes'
import type { ProviderFailureCode, ReadResult, SubmitOutcome } from '@financial-agents/provider-port/port'
import { z } from 'zod'

const ErrorDocument = z.object({ type: z.string().max(100), status: z.int() })

/** Documented refusals (increase.com/documentation/errors): the request was not executed. */
const refusals: Readonly<Record<string, { readonly status: number; readonly code: ProviderFailureCode }>> = {
  invalid_parameters_error: { status: 400, code: 'provider_rejected_details' },
  malformed_request_error: { status: 400, code: 'provider_refused' },
  // The API key belongs to the installation, so an owner cannot repair this by connecting again.
  invalid_api_key_error: { status: 401, code: 'provider_refused' },
  environment_mismatch_error: { status: 403, code: 'provider_refused' },
  insufficient_permissions_error: { status: 403, code: 'provider_refused' },
  private_feature_error: { status: 403, code: 'provider_refused' },
  api_method_not_found_error: { status: 404, code: 'provider_refused' },
  object_not_found_error: { status: 404, code: 'provider_refused' },
  invalid_operation_error: { status: 409, code: 'provider_refused' },
}

export type Refusal = { readonly type: string; readonly code: ProviderFailureCode }

/** The documented refusal in the answer; undefined for any other answer. */
export function findRefusal(result: ExchangeResult): Refusal | undefined {
  if (result.type !== 'answered') return undefined
  const said = findShape(ErrorDocument, result.body)
  const known = said !== undefined && Object.hasOwn(refusals, said.type) ? refusals[said.type] : undefined
  if (said === undefined || known?.status !== result.status || said.status !== result.status) return undefined
  return { type: said.type, code: known.code }
}

/** The outcome of an exchange that has no object of ours in its answer. */
export function outcomeWithoutObject(result: ExchangeResult): SubmitOutcome {
  switch (result.type) {
    case 'unwritable':
      return failed('submission_invalid', 'The submission could not be put on the wire; nothing was sent.')
    case 'unsent':
      return notReached()
    case 'lost':
      return uncertain(lostCodes[result.why], lostDetail[result.why])
    default: {
      const refusal = findRefusal(result)
      if (refusal !== undefined) return failed(refusal.code, `Increase refused it (${refusal.type}).`)
      if (result.status >= 500)
        return uncertain('provider_error', `Increase failed while handling it (status ${result.status}).`)
      return uncertain('provider_response_invalid', `Increase answered in an unknown form (status ${result.status}).`)
    }
  }
}

/** The reason why a read has no usable answer; undefined if it was answered with 200. */
export function unavailableReason(result: ExchangeResult): ProviderFailureCode | undefined {
  switch (result.type) {
    case 'unwritable':
      return 'submission_invalid'
    case 'unsent':
      return 'provider_unreachable'
    case 'lost':
      return lostCodes[result.why]
    default:
      if (result.status === 200) return undefined
      if (result.status >= 500) return 'provider_error'
      return findRefusal(result) === undefined ? 'provider_response_invalid' : 'provider_refused'
  }
}

/** Returns the answer of a read in the promised shape, or the reason why there is none. */
export function readOf<Shape extends z.ZodType>(result: ExchangeResult, shape: Shape): ReadResult<z.infer<Shape>> {
  const reason = unavailableReason(result)
  if (reason !== undefined) return { type: 'unavailable', reason }
  const read = readShape(shape, result.type === 'answered' ? result.body : '')
  return read.type === 'ok' ? read : { type: 'contract_broken', reason: `not the promised answer: ${read.where}` }
}

/** The words are read by customers, so they name no error of a library. */
const lostDetail = {
  timeout: 'The request was sent; its answer did not come in time.',
  connection: 'The request was sent; the connection broke before its answer came.',
  unreadable: 'The request was sent; its answer could not be read.',
} as const

const lostCodes = {
  timeout: 'provider_timeout',
  connection: 'provider_connection_lost',
  unreadable: 'provider_response_invalid',
} as const satisfies Record<string, ProviderFailureCode>

export function failed(
  failureCode: ProviderFailureCode,
  failureDetail: string,
): Extract<SubmitOutcome, { type: 'failed' }> {
  return { type: 'failed', failureCode, failureDetail }
}

export function uncertain(failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome {
  return { type: 'uncertain', failureCode, failureDetail }
}

export function notReached(): Extract<SubmitOutcome, { type: 'unsent' }> {
  const failureDetail = 'Increase could not be reached; nothing was sent.'
  return { type: 'unsent', failureCode: 'provider_unreachable', failureDetail }
}

export const unsayable = failed(
  'submission_invalid',
  'The accepted payload cannot be put into the words of Increase; nothing was sent.',
)
