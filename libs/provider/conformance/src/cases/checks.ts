/** Checks of a result that several cases share. */

import assert from 'node:assert/strict'
import {
  type LookupRequest,
  type LookupResult,
  providerFailureCodes,
  type Submission,
} from '@financial-agents/provider-port/port'

/** The lookup of a submission, with the provider's reference if an answer gave one. */
export function lookupOf(submission: Submission, upstreamReference: string | null = null): LookupRequest {
  const { kind, reference, credentials, timeoutMs } = submission
  return { kind, reference, credentials, timeoutMs, upstreamReference }
}

export function checkFound(
  result: LookupResult,
  state: 'pending' | 'succeeded' | 'failed',
): asserts result is Extract<LookupResult, { type: 'found' }> {
  assert.equal(result.type, 'found', JSON.stringify(result))
  assert(result.type === 'found')
  assert.equal(result.state, state)
  assert.equal('failureCode' in result, state === 'failed')
}

/** The result repeats neither the credentials nor a value of the payload that may be personal. */
export function checkSilent(result: object, { credentials, payload }: Submission): void {
  const text = JSON.stringify(result)
  assert(!text.includes(credentials), 'a result holds the credentials')
  const details: unknown[] = Object.values(payload['details'] ?? {})
  const personal = [payload['name'], payload['label'], payload['memo'], ...details]
  for (const value of personal.filter((value) => typeof value === 'string' && value.length > 3)) {
    assert(!text.includes(String(value)), 'a result holds a value of the payload')
  }
}

/** A failure has one of the port's codes and a detail that may be shown. */
export function checkFailure(result: object): void {
  assert('failureCode' in result && 'failureDetail' in result)
  assert((providerFailureCodes as readonly unknown[]).includes(result.failureCode))
  assert.match(String(result.failureDetail), /^.{1,500}$/)
}
