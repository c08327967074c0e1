/** The port's part about signing in: a person approves at the provider's own page. Starting and polling move nothing. */

import { z } from 'zod'
import type { AnonymousCallContext, ProviderFailureCode } from './call.ts'
import type { DataOf } from './primitives.ts'

export type DeviceAuthenticationStart = AnonymousCallContext & {
  /**
   * The hosted page sends the browser in which the person decided to this address, with nothing added. Nobody else learns
   * the address: it distinguishes the browser that decided from the browser that started. An OpenID provider gets it in two
   * parts: without its query it is the redirect URI, and its `state` is the `state` of the request.
   */
  readonly returnUrl: string
  /** Our own unguessable reference. The same reference gives the same device authentication again. */
  readonly reference: string
}

/** The person approves at the provider's own page; nothing is known about them before that. */
export type StartedDeviceAuthentication =
  | {
      readonly type: 'started'
      /** Polls for the result, credentials included: a secret of the service that started it, never sent to the browser. */
      readonly authentication: string
      /** Address of the hosted page, for the browser. */
      readonly hostedUrl: string
      readonly expiresAt: Date
    }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** The owner of the account, as the provider names the person. Only `reference` identifies the owner; the rest is for display. */
export const providerCustomer = z.object({
  reference: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .describe('The person. The same each time the same person signs in; it identifies the owner.'),
  display_name: z
    .string()
    .regex(/^\P{Cc}{1,200}$/u)
    .nullable()
    .describe('The name, for display.'),
  locale: z.string().max(100).refine(isLocale).describe('BCP 47.'),
  timezone: z.string().max(100).refine(isTimezone).describe('A name of the IANA time zone database.'),
})

export type ProviderCustomer = DataOf<typeof providerCustomer>

export type DeviceAuthenticationPoll = AnonymousCallContext & {
  readonly authentication: string
  /**
   * The query that the page added to the return address, as the browser that started the sign-in brought it back: the
   * response of an OpenID provider. The query may contain a code that can be used once, so two polls with it never run
   * at the same time.
   */
  readonly response?: string | undefined
}

/** State of a device authentication. An answer in doubt is `unavailable`, and may be polled again. */
export type PolledDeviceAuthentication =
  | { readonly type: 'pending' }
  /**
   * Every poll gives the same answer again, so that a lost answer can be fetched once more. After a `response` it may not:
   * a code is exchanged once, and the person signs in again if the answer is lost.
   */
  | { readonly type: 'approved'; readonly credentials: string; readonly customer: ProviderCustomer }
  | { readonly type: 'declined' }
  | { readonly type: 'expired' }
  /**
   * Final: the provider did not give this `response` to this start. `reason` is for the log: a code of the adapter, no
   * foreign text.
   */
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** True for a tag of BCP 47. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** True for a name of the IANA time zone database. */
export function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
