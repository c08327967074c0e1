/**
 * The meaning of the errors that the library throws. Pure functions.
 *
 * Invariant: `refused` needs the issuer's own refusal, or an answer that the library did not accept as ours. An outage
 * is never `refused`. The reason is the library's error code, and contains no text of the issuer, no token and no
 * authorization code.
 */

import type { ProviderFailureCode } from '@financial-agents/provider-port/port'
import { IssuerUnknown } from './issuer.ts'

export type Failure =
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
  /** The person cancelled, or is not allowed to sign in. */
  | { readonly type: 'declined' }
  | { readonly type: 'refused'; readonly reason: string }

const outages: Readonly<Record<string, ProviderFailureCode>> = {
  OAUTH_TIMEOUT: 'provider_timeout',
  OAUTH_ABORT: 'provider_timeout',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_error',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_response_invalid',
}

const declining = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required'])
const outOfOrder = new Set(['server_error', 'temporarily_unavailable'])

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof IssuerUnknown) {
    const why = failureOf(thrown.cause)
    return why.type === 'unavailable' ? why : { type: 'unavailable', reason: 'provider_response_invalid' }
  }
  const { code, error, name, cause } = thrown as { code?: string; error?: string; name?: string; cause?: unknown }
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (declining.has(error ?? '')) return { type: 'declined' }
    return outOfOrder.has(error ?? '')
      ? { type: 'unavailable', reason: 'provider_error' }
      : { type: 'refused', reason: code }
  }
  // The issuer refuses the code or the token. Any other refusal is about this installation.
  if (code === 'OAUTH_RESPONSE_BODY_ERROR')
    return error === 'invalid_grant'
      ? { type: 'refused', reason: code }
      : { type: 'unavailable', reason: outOfOrder.has(error ?? '') ? 'provider_error' : 'provider_refused' }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return { type: 'unavailable', reason: 'provider_refused' }
  const outage = outages[code ?? '']
  if (outage !== undefined) return { type: 'unavailable', reason: outage }
  if (name === 'TimeoutError' || name === 'AbortError') return { type: 'unavailable', reason: 'provider_timeout' }
  // A failed fetch is a TypeError without a code of the library.
  if (thrown instanceof TypeError && !code?.startsWith('OAUTH_') && !code?.startsWith('ERR_'))
    return { type: 'unavailable', reason: 'provider_unreachable' }
  if (code === undefined && cause !== undefined && cause !== thrown) return failureOf(cause)
  return { type: 'refused', reason: code !== undefined && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'UNKNOWN' }
}
