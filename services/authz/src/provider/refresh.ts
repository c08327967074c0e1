/**
 * Refresh tokens do not rotate. A refresh token is bound to the key it was issued to, and ends 30 days after its last
 * use and 90 days after its issue. Every client registered for owners gets one with each authorization.
 */

import type { Client, KoaContextWithOIDC, RefreshToken } from 'oidc-provider'
import { refreshAbsoluteS, refreshIdleS, refreshProlongAfterS } from './lifetimes.ts'

export function issuesRefreshToken(_ctx: KoaContextWithOIDC, client: Client): boolean {
  return client.grantTypeAllowed('refresh_token')
}

/** Returns the remaining lifetime of a token that is used now. */
export function refreshTtlS(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  return Math.max(1, Math.min(refreshIdleS, refreshAbsoluteS - token.totalLifetime()))
}

/**
 * The library asks if it should rotate a token that it has just accepted. The answer is always no, but the call marks a
 * use. `prolong` only moves the expiry: if the token were saved, a concurrent revocation would be undone.
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
