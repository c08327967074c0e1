/**
 * Checks the target of requests for tokens: `resource` must be the one exact resource of this environment, and every
 * requested scope must be within the client's limit. The library silently drops unknown scopes; here they are
 * refused.
 *
 * The check runs at each step of an authorization, so a limit that was lowered meanwhile applies at the next step.
 */

import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { findServiceGrant, getCeiling, isSuspended } from '../client-members.ts'
import { accessTokenTtlS } from '../lifetimes.ts'

/** Returns the resource server of a request. @throws InvalidTarget, InvalidScope, UnauthorizedClient */
export function checkTarget(
  ctx: KoaContextWithOIDC,
  resource: string,
  client: Client,
  baseUrl: string,
): ResourceServer {
  const { params = {}, body } = ctx.oidc
  if (Array.isArray(params.resource) || resource !== baseUrl)
    throw new errors.InvalidTarget('resource must be the one resource of this environment')
  if (body?.['authorization_details'])
    throw new errors.InvalidAuthorizationDetails('authorization_details are not supported')
  const ceiling = getCeiling(client)
  if (client.grantTypeAllowed('client_credentials')) checkServiceAccount(ctx, client, ceiling)
  else if (ctx.oidc.route !== 'token') checkScopes(requestedScope(ctx), ceiling)
  return {
    scope: ceiling.filter((scope) => scope !== 'openid').join(' '),
    audience: baseUrl,
    accessTokenFormat: 'jwt',
    accessTokenTTL: accessTokenTtlS,
    jwt: { sign: { alg: 'ES256' } },
  }
}

/** A service account that names no scope requests its whole limit. */
function checkServiceAccount(ctx: KoaContextWithOIDC, client: Client, ceiling: readonly string[]): void {
  const { params = {} } = ctx.oidc
  params.scope ??= ceiling.join(' ')
  checkScopes(params.scope, ceiling)
  if (findServiceGrant(client)) return
  const why = isSuspended(client) ? 'is suspended' : 'was revoked'
  throw new errors.UnauthorizedClient(`the grant of this service account ${why}`)
}

/** Returns the scope as it was sent. The library has already removed the values that it handles itself. */
function requestedScope(ctx: KoaContextWithOIDC): unknown {
  return ctx.oidc.body?.['scope'] ?? ctx.query['scope'] ?? ctx.oidc.params?.['scope']
}

function checkScopes(scope: unknown, ceiling: readonly string[]): void {
  if (typeof scope !== 'string' || scope === '') throw new errors.InvalidScope('scope is required', '')
  const refused = scope.split(' ').filter((one) => !ceiling.includes(one))
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is outside the ceiling of this client', refused.join(' '))
}
