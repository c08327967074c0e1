/**
 * Asks the submitter for every fence it has not confirmed, until it has (write protocol, rule 8).
 * A request that surely did not arrive is repeated at once; one without an answer only when it can no longer take effect.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { NoResponders } from '@financial-agents/bus/errors'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { type Fence, leaseFences, recordFenceConfirmed, recordFenceNotSent } from '../store/fences.ts'

const answerMs = 5_000
// Longer than any statement of the submitter may run after it received the request.
const leaseMs = 30_000
const batch = 20

type Parts = { bus: Bus; db: Database; clock: Clock; log: Log }

export function startFenceSweep(parts: Parts & { pauseMs: number }): Repeating {
  const { db, clock } = parts
  return repeat({
    name: 'fences',
    pauseMs: parts.pauseMs,
    log: parts.log,
    work: async () => {
      const fences = await leaseFences(db, clock.now(), new Date(clock.nowMs() + leaseMs), batch)
      const confirmed = await Promise.all(fences.map((fence) => settle(parts, fence)))
      return fences.length === batch && confirmed.every(Boolean)
    },
  })
}

async function settle(parts: Parts, fence: Fence): Promise<boolean> {
  const { db, log } = parts
  const about = { target: fence.target, target_id: fence.target_id, fenced: fence.fenced }
  try {
    const openAttempts = await ask(parts.bus, fence)
    await recordFenceConfirmed(db, fence)
    log.info({ ...about, open_attempts: openAttempts }, 'the submitter confirmed a fence')
    return true
  } catch (error) {
    if (error instanceof NoResponders) await recordFenceNotSent(db, fence)
    const why = error instanceof Error ? error.name : 'error'
    log.warn({ ...about, why }, 'the submitter did not confirm a fence')
    return false
  }
}

/** How many attempts were open when the fence fell. */
async function ask(bus: Bus, { target, target_id, fenced, reason }: Fence): Promise<number> {
  const context = newContext(answerMs)
  if (!fenced) {
    await call(bus, 'int.submitter.unfence', { target, target_id }, context)
    return 0
  }
  const answer = await call(bus, 'int.submitter.fence', { target, target_id, reason }, context)
  return answer.open_operation_ids.length
}
