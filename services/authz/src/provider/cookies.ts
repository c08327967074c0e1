/**
 * The library's cookies. Unsigned: what they hold is random and only stored as a hash.
 *
 * Invariant: behind https a cookie is Secure and its name says so, so that no other host of the domain can plant one; the
 * session's cookie has no path of its own (`__Host-`), those of an interaction have (`__Secure-`).
 */

import type { Configuration } from 'oidc-provider'

export function cookieNames(baseUrl: string): { session: string; interaction: string; resume: string } {
  const secure = baseUrl.startsWith('https:')
  return {
    session: secure ? '__Host-session' : 'session',
    interaction: secure ? '__Secure-interaction' : 'interaction',
    resume: secure ? '__Secure-resume' : 'resume',
  }
}

/** Not sent along when another site posts a form; sent when it links here, as the provider's hosted page does. */
export function cookieOptions(baseUrl: string) {
  return { httpOnly: true, sameSite: 'lax' as const, secure: baseUrl.startsWith('https:'), path: '/' }
}

export function cookieConfiguration(baseUrl: string): NonNullable<Configuration['cookies']> {
  const { path: _path, ...options } = cookieOptions(baseUrl)
  return { names: cookieNames(baseUrl), long: options, short: options }
}
