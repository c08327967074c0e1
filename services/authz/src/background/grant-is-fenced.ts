/**
 * Whether the end of a grant's use may be reported: only once the submitter has committed the fence of it (write protocol,
 * rule 8). Asks for the fence at once rather than at the sweep's next look, which goes on where this gives up.
 *
 * Invariant: true is answered only of a fence that is confirmed at its version, whoever asked for it.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { isFenceConfirmed, leaseFence } from '../store/fences.ts'
import { type FenceParts, leasedUntil, settleFence } from './settle-fence.ts'

const pauseMs = 50

/** Called after the fence that is wanted has committed; answers within `patienceMs`, and never throws. */
export async function grantIsFenced(parts: FenceParts, grantId: string, patienceMs: number): Promise<boolean> {
  const { db, clock, log } = parts
  const fence = { target: 'grant', target_id: grantId } as const
  const endsAt = performance.now() + patienceMs
  try {
    for (;;) {
      const mine = await leaseFence(db, fence, clock.now(), leasedUntil(clock))
      const settled = mine && (await settleFence(parts, mine, Math.max(1, Math.floor(endsAt - performance.now()))))
      // Where another's request is on its way, its answer is what is waited for.
      if (await isFenceConfirmed(db, fence)) return true
      if (settled === 'not_sent' || performance.now() + pauseMs >= endsAt) return false
      await delay(pauseMs)
    }
  } catch (error) {
    log.warn({ err: error, grant_id: grantId }, 'it is not known whether a grant is fenced')
    return false
  }
}
