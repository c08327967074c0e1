/**
 * Answers of a provider about device authentications, as the port's unions. Pure functions.
 *
 * Invariant: `approved`, `declined` and `expired` need a complete, well-formed answer. Every other answer is `unavailable`, and
 * no part of a malformed answer gets into a result.
 */

import type {
  PolledDeviceAuthentication,
  StartedDeviceAuthentication,
} from '@financial-agents/provider-port/device-authentication'
import { deviceAuthenticationResult, deviceAuthenticationStarted } from './api/hosted.ts'
import type { ExchangeResult } from './exchange.ts'
import { unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

const invalid = { type: 'unavailable', reason: 'provider_response_invalid' } as const

export function startedOf(result: ExchangeResult, reference: string): StartedDeviceAuthentication {
  const reason = unavailableReason(result, [200, 201])
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const started = findShape(deviceAuthenticationStarted, result.body)?.data
  if (started === undefined || started.client_reference !== reference) return invalid
  const { reference: authentication, hosted_url: hostedUrl, expires_at } = started
  return { type: 'started', authentication, hostedUrl, expiresAt: new Date(expires_at) }
}

export function polledOf(result: ExchangeResult): PolledDeviceAuthentication {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const answer = findShape(deviceAuthenticationResult, result.body)?.data
  if (answer === undefined) return invalid
  if (answer.status !== 'approved') return { type: answer.status }
  return { type: 'approved', credentials: answer.credentials, customer: answer.customer }
}
