/**
 * Access tokens of people by their refresh tokens, where the refresh token is the credentials of the connection. A token is kept in the
 * memory of the process until shortly before it ends.
 *
 * Invariant: a token of one person is never given for another's credentials. The issuer must not replace refresh tokens: several
 * processes use the one that the sign-in gave, and none can keep another.
 */

import { createHash } from 'node:crypto'
import { failureOf } from './failures.ts'
import { createIssuer } from './issuer.ts'
import type { OpenidOptions } from './variables.ts'

export type PersonToken =
  | { readonly type: 'token'; readonly token: string }
  /** The issuer does not take the refresh token (any more). */
  | { readonly type: 'refused' }
  | { readonly type: 'unavailable' }

export type PersonTokens = {
  get(refreshToken: string, timeoutMs: number): Promise<PersonToken>
  /** Drops the token, so that the next call asks for another one. */
  forget(refreshToken: string): void
  close(): Promise<void>
}

type CachedToken = { readonly token: string; readonly endsAtMs: number }

/** A token is used only if more than this is left of its lifetime. */
const marginMs = 30_000
const maxKept = 10_000

export function createPersonTokens(options: OpenidOptions): PersonTokens {
  const issuer = createIssuer(options)
  const kept = new Map<string, CachedToken>()
  const asking = new Map<string, Promise<PersonToken>>()
  const ask = (refreshToken: string, id: string, timeoutMs: number) =>
    issuer
      .use(timeoutMs, async (client, openid): Promise<PersonToken> => {
        const answer = await openid.refreshTokenGrant(client, refreshToken)
        if (answer.token_type !== 'bearer') return { type: 'unavailable' }
        const endsAtMs = performance.now() + (answer.expires_in ?? 60) * 1_000 - marginMs
        kept.delete(id)
        kept.set(id, { token: answer.access_token, endsAtMs })
        for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest)
        return { type: 'token', token: answer.access_token }
      })
      .catch((error: unknown): PersonToken => {
        const { type } = failureOf(error)
        return { type: type === 'refused' ? 'refused' : 'unavailable' }
      })
      .finally(() => asking.delete(id))
  return {
    get: async (refreshToken, timeoutMs) => {
      const id = idOf(refreshToken)
      const found = kept.get(id)
      if (found !== undefined && found.endsAtMs > performance.now()) return { type: 'token', token: found.token }
      const asked = asking.get(id) ?? ask(refreshToken, id, timeoutMs)
      asking.set(id, asked)
      return asked
    },
    forget: (refreshToken) => void kept.delete(idOf(refreshToken)),
    close: () => issuer.close(),
  }
}

function idOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url')
}
