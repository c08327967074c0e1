/**
 * The library's cookies. Unsigned: what they hold is random and only stored as a hash.
 *
 * Invariant: behind https a cookie is Secure and its name says so. No other host of the domain can plant that of the session
 * (`__Host-`); those of an interaction have a path, and with it no more than `__Secure-`: knowing them signs nobody in.
 */

import { hostCookieName } from '@financial-agents/carried-http/cookie-jar'
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
  // Not sent along when another site posts a form; sent when it links here, as the provider's hosted page does.
  const options = { httpOnly: true, sameSite: 'lax' as const, secure: baseUrl.startsWith('https:') }
  return { names: cookieNames(baseUrl), long: options, short: options }
}
