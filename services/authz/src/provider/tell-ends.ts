/**
 * Answers that tell a client that its grant has ended: the 200 of a revocation, and the refusal of a code, whose second
 * use ends the grant. Neither is sent before every gateway has been notified and nothing accepted under the grant can be
 * sent any more. Until then the answer is 503 with `Retry-After` (RFC 7009, 2.2.1), and the same request may be
 * repeated. A suspended grant, which stays suspended, is answered in the same way.
 */

import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Middleware } from './middleware.ts'
import { paths } from './paths.ts'

/** @param areKnown tells if the ends and suspensions of all the client's grants are in force */
export function tellEndsOnceKnown(areKnown: (clientId: string) => Promise<boolean>): Middleware {
  return async (ctx, next) => {
    await next()
    if (!tellsOfAnEnd(ctx)) return
    const { client } = ctx.oidc
    if (!client || (await areKnown(client.clientId))) return
    ctx.status = 503
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'it is not confirmed yet that the grant has ended; repeat this request',
    }
  }
}

function tellsOfAnEnd({ path, status, body, oidc }: KoaContextWithOIDC): boolean {
  if (path === paths.revocation) return status === 200
  if (path !== paths.token || (body as { error?: string } | undefined)?.error !== 'invalid_grant') return false
  return oidc.params?.['grant_type'] === 'authorization_code'
}
