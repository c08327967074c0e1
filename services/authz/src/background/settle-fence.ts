/** Sends one fence to the submitter until it answers or the time is over, and records the confirmation. */

import { callUntilAnswered } from '@financial-agents/bus/call-until-answered'
import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Fence, recordFenceConfirmed } from '../store/fences.ts'

export type FenceDependencies = { bus: Bus; db: Database; clock: Clock; log: Log }

/** Returns true if the submitter has confirmed the fence. */
export async function settleFence(
  { bus, db, log }: FenceDependencies,
  fence: Fence,
  patienceMs: number,
): Promise<boolean> {
  const { target, target_id, fenced, version } = fence
  try {
    const open_attempts = await ask(bus, fence, patienceMs)
    await recordFenceConfirmed(db, fence)
    log.info({ target, target_id, fenced, version, open_attempts }, 'the submitter confirmed a fence')
    return true
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log.warn({ target, target_id, fenced, version, why }, 'the submitter did not confirm a fence')
    return false
  }
}

/** Returns the number of attempts that were open when the fence was set. */
async function ask(bus: Bus, { target, target_id, version, fenced, reason }: Fence, patienceMs: number) {
  const about = { target, target_id, version }
  if (!fenced) {
    await callUntilAnswered(bus, 'int.submitter.unfence', about, patienceMs)
    return 0
  }
  const answer = await callUntilAnswered(bus, 'int.submitter.fence', { ...about, reason }, patienceMs)
  return answer.open_operation_ids.length
}
