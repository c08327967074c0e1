/** Each documented error of Increase is a refusal with its own status, and with any other status it proves nothing. A table written by hand. */

import { expect, test } from 'vitest'
import { outcomeWithoutObject } from './outcomes.ts'

const answered = (status: number, document: object) =>
  outcomeWithoutObject({ type: 'answered', status, body: JSON.stringify(document) })

const refusals = [
  [400, 'invalid_parameters_error', 'provider_rejected_details'],
  [400, 'malformed_request_error', 'provider_refused'],
  [401, 'invalid_api_key_error', 'provider_refused'],
  [403, 'environment_mismatch_error', 'provider_refused'],
  [403, 'insufficient_permissions_error', 'provider_refused'],
  [403, 'private_feature_error', 'provider_refused'],
  [404, 'api_method_not_found_error', 'provider_refused'],
  [404, 'object_not_found_error', 'provider_refused'],
  [409, 'invalid_operation_error', 'provider_refused'],
] as const

test.each(refusals)('%i %s is definitive: %s', (status, type, failureCode) => {
  expect(answered(status, { type, status, title: 'no', detail: null })).toMatchObject({ type: 'failed', failureCode })
})

test.each(refusals)('%i %s proves nothing with another status, of the answer or in it', (status, type) => {
  for (const other of [408, 418, 429, 500, 503])
    expect(answered(other, { type, status: other })).toMatchObject({ type: 'uncertain' })
  expect(answered(status, { type, status: status + 1 })).toMatchObject({ type: 'uncertain' })
  expect(answered(status, { type })).toMatchObject({ type: 'uncertain' })
})

test.each([
  [409, 'idempotency_key_already_used_error', 'provider_response_invalid'],
  [429, 'rate_limited_error', 'provider_response_invalid'],
  [500, 'internal_server_error', 'provider_error'],
  [400, 'an_error_of_next_year', 'provider_response_invalid'],
  [400, 'constructor', 'provider_response_invalid'],
] as const)('%i %s is uncertain: %s', (status, type, failureCode) => {
  expect(answered(status, { type, status })).toMatchObject({ type: 'uncertain', failureCode })
})

test('what was not sent is not uncertain, and what was lost is', () => {
  expect(outcomeWithoutObject({ type: 'unwritable' })).toMatchObject({ failureCode: 'submission_invalid' })
  expect(outcomeWithoutObject({ type: 'unsent', cause: 'ECONNREFUSED' })).toMatchObject({ type: 'unsent' })
  for (const [why, failureCode] of [
    ['timeout', 'provider_timeout'],
    ['connection', 'provider_connection_lost'],
    ['unreadable', 'provider_response_invalid'],
  ] as const)
    expect(outcomeWithoutObject({ type: 'lost', why, cause: 'ECONNRESET' })).toMatchObject({
      type: 'uncertain',
      failureCode,
    })
})
