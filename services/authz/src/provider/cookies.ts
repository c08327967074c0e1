/**
 * The library's cookies. Unsigned: what they hold is random and only stored as a hash.
 *
 * Invariant: behind https a cookie is Secure and its name says so. No other host of the domain can plant that of the session
 * (`__Host-`); those of an interaction have a path, and with it no more than `__Secure-`: knowing them signs nobody in.
 */

import type { Configuration } from 'oidc-provider'

/** The name of a cookie without a path of its own, as it is sent. */
export function hostCookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name
}

export function cookieNames(baseUrl: string): { session: string; interaction: string; resume: string } {
  const secure = baseUrl.startsWith('https:')
  return {
    session: hostCookieName(baseUrl, 'session'),
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
