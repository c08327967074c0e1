/**
 * The claims of an access token, exactly: `iss, sub, aud, client_id, exp, iat, jti, scope, cnf.jkt, grant_id`. The subject
 * is pairwise; there is no owner id in it.
 */

import type { AccessToken, Client, ClientCredentials, JWTStructured } from 'oidc-provider'
import { findServiceGrant } from './service-account.ts'

const members = ['iss', 'sub', 'aud', 'client_id', 'exp', 'iat', 'jti', 'scope', 'cnf', 'grant_id']

/** Sets the grant and its subject and drops what the library added beside them. */
export function shapeAccessToken(token: AccessToken | ClientCredentials, parts: JWTStructured): void {
  const grant = findServiceGrant(token.client as Client)
  if (!grant) throw new Error('a token was about to be issued without a grant')
  const claims: Record<string, unknown> = { ...parts.payload, sub: grant.subject, grant_id: grant.grant_id }
  parts.payload = Object.fromEntries<unknown>(members.map((member) => [member, claims[member]]))
  const missing = members.filter((member) => claims[member] === undefined)
  if (missing.length > 0) throw new Error(`a token was about to be issued without ${missing.join(', ')}`)
}
