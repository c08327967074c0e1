/**
 * Revocation (RFC 7009): an authenticated confidential client revokes its own refresh token, and with it the whole
 * grant. Any other token is answered as if it were unknown.
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

/** A public client gets a refusal, not a success without effect. Its owner revokes on the account page. */
export function refusePublicRevocation(ctx: KoaContextWithOIDC): void {
  const { client } = ctx.oidc
  if (ctx.status !== 200 || !client || !isPublic(client)) return
  ctx.status = 400
  ctx.body = { error: 'unauthorized_client', error_description: 'a public client cannot authenticate a revocation' }
}
