/**
 * Tells if the end of a grant's use is in force (write protocol, rules 8 and 18). The gateways have then been notified, so they
 * refuse its tokens. The submitter has committed the fence, so it sends nothing that was accepted under the grant. Both are
 * requested at once, not at the next run of feed and background job. If this gives up, feed and background job continue.
 *
 * Invariant: the result is true only if the fence is confirmed at its version, whoever requested it.
 */

import { findFence, listUnconfirmedOfClient } from '../store/fences.ts'
import type { Feed } from './feed.ts'
import { type FenceDependencies, settleFence } from './settle-fence.ts'

export type EndDependencies = FenceDependencies & { feed: Pick<Feed, 'publishNow'> }

const batch = 100

/** Called after the end has committed. Gives up after about `patienceMs`, and never throws. */
export function grantEndIsKnown(dependencies: EndDependencies, grantId: string, patienceMs: number): Promise<boolean> {
  return whereKnown(dependencies, { grant_id: grantId }, async () => {
    const fence = await findFence(dependencies.db, { target: 'grant', target_id: grantId })
    if (!fence?.fenced) return false
    return fence.confirmed || settleFence(dependencies, fence, patienceMs)
  })
}

/**
 * Does the same for all ended and suspended grants of a client. Clients that repeat a revocation or the second use of a
 * code need it: the token or the code was deleted, so the repeated request no longer names the grant.
 */
export function endsAreKnown(dependencies: EndDependencies, clientId: string, patienceMs: number): Promise<boolean> {
  return whereKnown(dependencies, { client_id: clientId }, async () => {
    const endsAt = performance.now() + patienceMs
    for (;;) {
      const fences = await listUnconfirmedOfClient(dependencies.db, clientId, batch)
      if (fences.length === 0) return true
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) return false
      const settled = await Promise.all(fences.map((fence) => settleFence(dependencies, fence, leftMs)))
      if (settled.includes(false)) return false
    }
  })
}

async function whereKnown(
  { feed, log }: EndDependencies,
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
