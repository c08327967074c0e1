/** Only confidential clients push authorization requests. Public clients send them directly (contract, rule 2). */

import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isPublic } from '../client-members.ts'

/** @throws UnauthorizedClient */
export function checkPushedClient(ctx: KoaContextWithOIDC, client: Client): void {
  if (ctx.oidc.route === 'pushed_authorization_request' && isPublic(client))
    throw new errors.UnauthorizedClient(
      'a public client does not push: send the parameters to the authorization endpoint',
    )
}
