/**
 * Whether the end of a grant's use may be told: once the gateways have been told of it, so that its tokens are refused, and
 * the submitter has committed the fence of it, so that nothing accepted under it is sent (write protocol, rules 8 and 18).
 * Both are asked for at once rather than at the next look of feed and sweep, which go on where this gives up.
 *
 * Invariant: true is answered only of a fence that is confirmed at its version, whoever asked for it.
 */

import { findFence, listUnfencedRevoked } from '../store/fences.ts'
import type { Feed } from './feed.ts'
import { type FenceParts, settleFence } from './settle-fence.ts'

export type EndParts = FenceParts & { feed: Pick<Feed, 'publishNow'> }

const batch = 100

/** Called after the end has committed; gives up after about `patienceMs`, and never throws. */
export function grantEndIsKnown(parts: EndParts, grantId: string, patienceMs: number): Promise<boolean> {
  return whereKnown(parts, { grant_id: grantId }, async () => {
    const fence = await findFence(parts.db, { target: 'grant', target_id: grantId })
    if (!fence?.fenced) return false
    return fence.confirmed || settleFence(parts, fence, patienceMs)
  })
}

/**
 * The same of whichever grants of a client were revoked. For a client that gives up a token, or uses a code twice: where it
 * asks again, the token or the code is gone with its grant and names none.
 */
export function revocationsAreKnown(parts: EndParts, clientId: string, patienceMs: number): Promise<boolean> {
  return whereKnown(parts, { client_id: clientId }, async () => {
    const endsAt = performance.now() + patienceMs
    for (;;) {
      const fences = await listUnfencedRevoked(parts.db, clientId, batch)
      if (fences.length === 0) return true
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) return false
      const settled = await Promise.all(fences.map((fence) => settleFence(parts, fence, leftMs)))
      if (settled.includes(false)) return false
    }
  })
}

async function whereKnown(
  { feed, log }: EndParts,
  about: { grant_id: string } | { client_id: string },
  isFenced: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const [, fenced] = await Promise.all([feed.publishNow(), isFenced()])
    return fenced
  } catch (error) {
    log.warn({ err: error, ...about }, 'it is not known whether an end of authority is announced and fenced')
    return false
  }
}
