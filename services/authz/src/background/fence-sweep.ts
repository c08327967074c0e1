/** Asks the submitter for every fence it has not confirmed, until it has (write protocol, rule 8). */

import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { leaseFences } from '../store/fences.ts'
import { type FenceParts, leasedUntil, settleFence } from './settle-fence.ts'

const batch = 20

export function startFenceSweep(parts: FenceParts & { pauseMs: number }): Repeating {
  const { db, clock } = parts
  return repeat({
    name: 'fences',
    pauseMs: parts.pauseMs,
    log: parts.log,
    work: async () => {
      const fences = await leaseFences(db, clock.now(), leasedUntil(clock), batch)
      const settled = await Promise.all(fences.map((fence) => settleFence(parts, fence)))
      return fences.length === batch && settled.every((one) => one === 'confirmed')
    },
  })
}
