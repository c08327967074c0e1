/**
 * The exact claims of an access token: `iss, sub, aud, client_id, exp, iat, jti, scope, cnf.jkt, grant_id`. The subject
 * is pairwise, and the token has no owner id.
 */

import {
  type AccessToken,
  type Client,
  type ClientCredentials,
  errors,
  type JWTStructured,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { findServiceGrant } from './client-members.ts'
import { findGrantOfRequest } from './grant-of-request.ts'

const members = ['iss', 'sub', 'aud', 'client_id', 'exp', 'iat', 'jti', 'scope', 'cnf', 'grant_id']

/** Sets the grant and its subject, and removes all other claims that the library added. */
export function shapeAccessToken(
  ctx: KoaContextWithOIDC,
  token: AccessToken | ClientCredentials,
  parts: JWTStructured,
): void {
  const grant = grantOf(ctx, token)
  if (!grant) throw new Error('a token was about to be issued without a grant')
  const { scope = '' } = parts.payload
  if (scope === '') checkSignInAlone(ctx)
  const claims: Record<string, unknown> = { ...parts.payload, scope, sub: grant.subject, grant_id: grant.grant_id }
  parts.payload = Object.fromEntries<unknown>(members.map((member) => [member, claims[member]]))
  const missing = members.filter((member) => claims[member] === undefined)
  if (missing.length > 0) throw new Error(`a token was about to be issued without ${missing.join(', ')}`)
}

function grantOf(ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials) {
  if (token.kind === 'ClientCredentials') return findServiceGrant(token.client as Client)
  const grant = findGrantOfRequest(ctx)
  return grant?.grant_id === token.grantId ? grant : undefined
}

/**
 * A token may have an empty scope only if the client signs owners in and requests nothing else. Otherwise the client's
 * limit was lowered.
 */
function checkSignInAlone(ctx: KoaContextWithOIDC): void {
  const { AuthorizationCode, DeviceCode, RefreshToken } = ctx.oidc.entities
  const source = RefreshToken ?? AuthorizationCode ?? DeviceCode
  if (!source?.scopes.has('openid')) throw new errors.InvalidScope('the client may have none of these scopes', '')
}
