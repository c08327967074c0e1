/**
 * For what and for how much a token may be asked: `resource` is the one exact resource of this environment, and every scope
 * asked for is in the client's ceiling. The library drops unknown scopes in silence; here they are refused.
 */

import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { accessTokenTtlS } from './lifetimes.ts'
import { findServiceGrant, getCeiling } from './service-account.ts'

/**
 * The resource server of a token request. Without `scope` the whole ceiling is meant.
 * @throws InvalidTarget, InvalidScope, UnauthorizedClient
 */
export function checkTarget(
  ctx: KoaContextWithOIDC,
  resource: string,
  client: Client,
  baseUrl: string,
): ResourceServer {
  const params = ctx.oidc.params ?? {}
  if (Array.isArray(params.resource) || resource !== baseUrl)
    throw new errors.InvalidTarget('resource must be the one resource of this environment')
  const ceiling = getCeiling(client)
  params.scope ??= ceiling.join(' ')
  checkScopes(String(params.scope).split(' '), new Set(ceiling))
  if (!findServiceGrant(client)) throw new errors.UnauthorizedClient('the grant of this service account was revoked')
  return {
    scope: ceiling.join(' '),
    audience: baseUrl,
    accessTokenFormat: 'jwt',
    accessTokenTTL: accessTokenTtlS,
    jwt: { sign: { alg: 'ES256' } },
  }
}

function checkScopes(asked: readonly string[], ceiling: ReadonlySet<string>): void {
  const refused = asked.filter((scope) => !ceiling.has(scope))
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is outside the ceiling of this client', refused.join(' '))
}
