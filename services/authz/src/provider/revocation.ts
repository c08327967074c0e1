/**
 * Revocation (RFC 7009): an authenticated confidential client gives up its own refresh token, and with it the whole grant.
 * Whatever else it names is answered as if it were unknown.
 */

import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC, RefreshToken } from 'oidc-provider'
import { isPublic } from './client-members.ts'

export function mayRevoke(
  _ctx: KoaContextWithOIDC,
  client: Client,
  token: AccessToken | ClientCredentials | RefreshToken,
): boolean {
  return !isPublic(client) && token.kind === 'RefreshToken' && token.clientId === client.clientId
}

/** A public client hears that it may not, rather than a success that did nothing: its owner revokes on the account page. */
export function refusePublicRevocation(ctx: KoaContextWithOIDC): void {
  const { client } = ctx.oidc
  if (ctx.status !== 200 || !client || !isPublic(client)) return
  ctx.status = 400
  ctx.body = { error: 'unauthorized_client', error_description: 'a public client cannot authenticate a revocation' }
}
