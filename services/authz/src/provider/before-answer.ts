/**
 * What must be done before an answer leaves, where the library only announces: the audit of a token, the prolonging of a
 * grant. Its announcements are synchronous; the work begins there and the answer waits for it here.
 *
 * Invariant: where the work fails, the answer is withheld.
 */

import type { KoaContextWithOIDC } from 'oidc-provider'

export type BeforeAnswer = {
  begin: (ctx: KoaContextWithOIDC, work: Promise<void>) => void
  /** Resolves when all that was begun for this request is done. @throws what one of it threw */
  settled: (ctx: KoaContextWithOIDC) => Promise<void>
}

export function createBeforeAnswer(): BeforeAnswer {
  const begun = new WeakMap<object, Promise<void>[]>()
  return {
    begin: (ctx, work) => {
      // It is awaited below, where its failure is seen.
      work.catch(() => {})
      begun.set(ctx.req, [...(begun.get(ctx.req) ?? []), work])
    },
    settled: async (ctx) => {
      await Promise.all(begun.get(ctx.req) ?? [])
    },
  }
}
