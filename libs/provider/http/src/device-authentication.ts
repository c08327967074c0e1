/**
 * Answers of a provider about device authentications, as the port's unions. Pure functions.
 *
 * Invariant: `approved`, `declined` and `expired` need a complete, well-formed answer. Every other answer is `unavailable`, and
 * no part of a malformed answer gets into a result.
 */

import { deviceAuthenticationResult, deviceAuthenticationStarted } from '@financial-agents/provider-api/shapes/hosted'
import {
  isLocale,
  isTimezone,
  type PolledDeviceAuthentication,
  type StartedDeviceAuthentication,
} from '@financial-agents/provider-port/device-authentication'
import type { ExchangeResult } from './exchange.ts'
import { unavailableReason } from './outcomes.ts'
import { findShape } from './shapes.ts'

const invalid = { type: 'unavailable', reason: 'provider_response_invalid' } as const

export function startedOf(result: ExchangeResult, reference: string): StartedDeviceAuthentication {
  const reason = unavailableReason(result, [200, 201])
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const started = findShape(deviceAuthenticationStarted, result.body)?.device_authentication
  if (started === undefined || started.client_reference !== reference) return invalid
  const { authentication_ref, page_url, expires_at } = started
  return { type: 'started', authentication: authentication_ref, hostedUrl: page_url, expiresAt: new Date(expires_at) }
}

export function polledOf(result: ExchangeResult): PolledDeviceAuthentication {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const answer = findShape(deviceAuthenticationResult, result.body)?.device_authentication
  if (answer === undefined) return invalid
  if (answer.status === 'waiting') return { type: 'pending' }
  if (answer.status !== 'approved') return { type: answer.status }
  const { customer_ref, full_name, locale, time_zone } = answer.customer
  if (!isLocale(locale) || !isTimezone(time_zone)) return invalid
  return {
    type: 'approved',
    credentials: answer.credentials,
    customer: { reference: customer_ref, displayName: full_name, locale, timezone: time_zone },
  }
}
