/**
 * Answers of a provider about device authentications, as the port's unions. Pure functions.
 *
 * Invariant: `approved`, `declined` and `expired` need a complete, well-formed answer. Every other answer is `unavailable`, and
 * no part of a malformed answer gets into a result.
 */

import type {
  PolledDeviceAuthentication,
  StartedDeviceAuthentication,
} from '@financial-agents/provider/device-authentication'
import { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { unavailableReason } from './outcomes.ts'
import { HostedPage } from './records.ts'
import { findShape } from './shapes.ts'

/** Answer to the start of a device authentication. */
const DeviceAuthenticationStarted = z.object({
  device_authentication: HostedPage.extend({ authentication_ref: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/) }),
})

const Customer = z.object({
  customer_ref: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  full_name: z
    .string()
    .regex(/^\P{Cc}{1,200}$/u)
    .nullable(),
  locale: z.string().max(100).refine(isLocale),
  time_zone: z.string().max(100).refine(isTimezone),
})

/** Answer to a read of a device authentication. */
const DeviceAuthenticationResult = z.object({
  device_authentication: z.discriminatedUnion('status', [
    z.object({ status: z.enum(['waiting', 'declined', 'expired']) }),
    z.object({
      status: z.literal('approved'),
      credentials: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
      customer: Customer,
    }),
  ]),
})

const invalid = { type: 'unavailable', reason: 'provider_response_invalid' } as const

export function startedOf(result: ExchangeResult, reference: string): StartedDeviceAuthentication {
  const reason = unavailableReason(result, [200, 201])
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const started = findShape(DeviceAuthenticationStarted, result.body)?.device_authentication
  if (started === undefined || started.client_reference !== reference) return invalid
  const { authentication_ref, page_url, expires_at } = started
  return { type: 'started', authentication: authentication_ref, hostedUrl: page_url, expiresAt: new Date(expires_at) }
}

export function polledOf(result: ExchangeResult): PolledDeviceAuthentication {
  const reason = unavailableReason(result)
  if (reason !== undefined || result.type !== 'answered')
    return { type: 'unavailable', reason: reason ?? invalid.reason }
  const answer = findShape(DeviceAuthenticationResult, result.body)?.device_authentication
  if (answer === undefined) return invalid
  if (answer.status === 'waiting') return { type: 'pending' }
  if (answer.status !== 'approved') return { type: answer.status }
  const { customer_ref, full_name, locale, time_zone } = answer.customer
  return {
    type: 'approved',
    credentials: answer.credentials,
    customer: { reference: customer_ref, displayName: full_name, locale, timezone: time_zone },
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
