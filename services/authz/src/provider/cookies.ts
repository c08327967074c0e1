/**
 * The library's cookies. They are unsigned, because their values are random and stored only as hashes.
 *
 * Invariant: with https, a cookie is Secure and its name says so. No other host of the domain can set the session's
 * cookie (`__Host-`). The cookies of an interaction have a path and so can only be `__Secure-`, but a person who knows
 * them cannot sign in with them.
 */

import { hostCookieName } from '@financial-agents/pages/tunnel/cookie-jar'
import type { Configuration } from 'oidc-provider'

export function cookieNames(baseUrl: string): { session: string; interaction: string; resume: string } {
  const secure = baseUrl.startsWith('https:')
  return {
    session: hostCookieName(baseUrl, 'session'),
    interaction: secure ? '__Secure-interaction' : 'interaction',
    resume: secure ? '__Secure-resume' : 'resume',
  }
}

export function cookieConfiguration(baseUrl: string): NonNullable<Configuration['cookies']> {
  // The cookie is not sent when another site posts a form. It is sent when another site links here, as the provider's
  // hosted page does.
  const options = { httpOnly: true, sameSite: 'lax' as const, secure: baseUrl.startsWith('https:') }
  return { names: cookieNames(baseUrl), long: options, short: options }
}
