/**
 * Corrects refusals of the library that have another code than their specification requires, or that the specification
 * does not know. Each is recognised by the library's message at the pinned version, and tests check each message.
 */

import type { errors, KoaContextWithOIDC } from 'oidc-provider'
import { replayedProof } from './checks/check-proof.ts'

const notAuthenticated =
  /invalid client_assertion format|client_id mismatch|client_assertion_type must|no client authentication mechanism/

type Answer = { status: number; body: Record<string, unknown> | '' }

/** Replaces the current answer by the correct form, if the library's form differs. */
export function correctError(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const answer = rightAnswer(ctx.oidc.route, error)
  if (!answer) return
  ctx.status = answer.status
  ctx.body = answer.body
}

function rightAnswer(route: string, error: errors.OIDCProviderError): Answer | undefined {
  const words = `${error.error_detail ?? ''} ${error.error_description ?? ''}`
  // RFC 9449, 11.1
  if (words.includes('DPoP proof JWT Replay detected')) return { status: 400, body: replayedProof }
  // RFC 6749, 5.2
  if (error.error === 'invalid_request' && /grant[ _-]type\S* is not allowed for this client/.test(words))
    return refusal('unauthorized_client', 'this grant type is not of the profile of this client')
  // RFC 7009, 2.2: a token that cannot be revoked is not an error
  if (route === 'revocation' && error.error === 'unsupported_token_type') return { status: 200, body: '' }
  // RFC 6749, 5.2, and RFC 7521, 4.2.1: a malformed assertion, an assertion of another client, and an assertion whose
  // keys cannot be fetched are failures of the client authentication
  if (error.error === 'invalid_client_metadata' || (error.error === 'invalid_request' && notAuthenticated.test(words)))
    return { status: 401, body: { error: 'invalid_client', error_description: 'client authentication failed' } }
  // RFC 9126, 2.1
  if (route === 'pushed_authorization_request' && error.error === 'request_uri_not_supported')
    return refusal('invalid_request', 'a pushed request must not contain a request_uri: send the parameters themselves')
  return undefined
}

function refusal(error: string, description: string): Answer {
  return { status: 400, body: { error, error_description: description } }
}
