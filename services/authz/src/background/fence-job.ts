/** Repeats every unconfirmed fence to the submitter until it is confirmed (write protocol, rule 8). */

import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { type Fence, leaseFences, recordFenceUnanswered } from '../store/fences.ts'
import { type FenceDependencies, settleFence } from './settle-fence.ts'

const batch = 20
const answerMs = 5_000
/** After this time, other replicas may send the fences of a replica that stopped. An attempt ends long before. */
const leaseMs = 30_000

export function startFenceJob(dependencies: FenceDependencies & { pauseMs: number }): Repeating {
  const { db, clock } = dependencies
  const settle = async (fence: Fence) => {
    const confirmed = await settleFence(dependencies, fence, answerMs)
    if (!confirmed) await recordFenceUnanswered(db, fence)
    return confirmed
  }
  return repeat({
    name: 'fences',
    pauseMs: dependencies.pauseMs,
    log: dependencies.log,
    work: async () => {
      const fences = await leaseFences(db, clock.now(), new Date(clock.nowMs() + leaseMs), batch)
      const confirmed = await Promise.all(fences.map(settle))
      return fences.length === batch && confirmed.every(Boolean)
    },
  })
}
