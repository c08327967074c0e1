/**
 * Work that must end before an answer leaves, for events that the library only announces: the audit of a token, the
 * check of a grant. The announcements are synchronous, so the work begins there, and the answer waits for it here.
 *
 * Invariant: if the work fails, the answer is withheld.
 */

import type { KoaContextWithOIDC } from 'oidc-provider'

export type BeforeAnswer = {
  begin: (ctx: KoaContextWithOIDC, work: Promise<void>) => void
  /** Resolves when all work for this request has ended. @throws the first error of the work */
  settled: (ctx: KoaContextWithOIDC) => Promise<void>
}

export function createBeforeAnswer(): BeforeAnswer {
  const begun = new WeakMap<object, Promise<void>[]>()
  return {
    begin: (ctx, work) => {
      // `settled` awaits the work and throws its error.
      work.catch(() => {})
      begun.set(ctx.req, [...(begun.get(ctx.req) ?? []), work])
    },
    settled: async (ctx) => {
      await Promise.all(begun.get(ctx.req) ?? [])
    },
  }
}
