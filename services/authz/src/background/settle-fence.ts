/**
 * One leased fence, asked of the submitter and recorded as confirmed once the submitter has committed it.
 * A request that surely did not arrive may be repeated at once; one without an answer only when it can no longer take effect.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { NoResponders } from '@financial-agents/bus/errors'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Fence, recordFenceConfirmed, recordFenceNotSent } from '../store/fences.ts'

export type FenceParts = { bus: Bus; db: Database; clock: Clock; log: Log }

const answerMs = 5_000
// Longer than any statement of the submitter may run after it received the request.
const leaseMs = 30_000

export function leasedUntil(clock: Clock): Date {
  return new Date(clock.nowMs() + leaseMs)
}

/** `not_sent` where nobody was there to ask. */
export async function settleFence(
  { bus, db, log }: FenceParts,
  fence: Fence,
  patienceMs = answerMs,
): Promise<'confirmed' | 'not_sent' | 'unknown'> {
  const about = { target: fence.target, target_id: fence.target_id, fenced: fence.fenced }
  try {
    const openAttempts = await ask(bus, fence, patienceMs)
    await recordFenceConfirmed(db, fence)
    log.info({ ...about, open_attempts: openAttempts }, 'the submitter confirmed a fence')
    return 'confirmed'
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log.warn({ ...about, why }, 'the submitter did not confirm a fence')
    if (!(error instanceof NoResponders)) return 'unknown'
    await recordFenceNotSent(db, fence)
    return 'not_sent'
  }
}

/** How many attempts were open when the fence fell. */
async function ask(bus: Bus, { target, target_id, fenced, reason }: Fence, patienceMs: number): Promise<number> {
  const context = newContext(patienceMs)
  if (!fenced) {
    await call(bus, 'int.submitter.unfence', { target, target_id }, context)
    return 0
  }
  const answer = await call(bus, 'int.submitter.fence', { target, target_id, reason }, context)
  return answer.open_operation_ids.length
}
