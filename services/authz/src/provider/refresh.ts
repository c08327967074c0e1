/**
 * Refresh tokens do not rotate: one is bound to the key it was issued to, ends 30 days after its last use and 90 days after
 * its issue. Every client registered for owners gets one with each authorization.
 */

import type { Client, KoaContextWithOIDC, RefreshToken } from 'oidc-provider'
import { refreshAbsoluteS, refreshIdleS, refreshProlongAfterS } from './lifetimes.ts'

export function issuesRefreshToken(_ctx: KoaContextWithOIDC, client: Client): boolean {
  return client.grantTypeAllowed('refresh_token')
}

/** How long a token that is used now lives on. */
export function refreshTtlS(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  return Math.max(1, Math.min(refreshIdleS, refreshAbsoluteS - token.totalLifetime()))
}

/**
 * The library asks whether to rotate a token that was just accepted; never, but it was used. `prolong` moves its end only:
 * saving the token would bring back one that was revoked meanwhile.
 */
export function createKeepRefreshToken(prolong: (id: string, ttlS: number) => Promise<void>) {
  return async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const token = ctx.oidc.entities.RefreshToken
    if (!token) return false
    const ttlS = refreshTtlS(ctx, token)
    if (ttlS - token.remainingTTL >= refreshProlongAfterS) await prolong(token.jti, ttlS)
    return false
  }
}
