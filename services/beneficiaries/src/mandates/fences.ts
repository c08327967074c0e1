/**
 * Asks the submitter for every unconfirmed fence of a mandate until the submitter confirms the fence. A handler wakes
 * the sweep, so that a new fence is requested at once. Repeated and outdated requests change nothing at the submitter.
 * An unanswered request is sent again at the next sweep.
 */

import { callUntilAnswered } from '@financial-agents/bus/call-until-answered'
import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import { observeUnconfirmed } from '@financial-agents/postgres/outbox-figures'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import { type Fence, leaseFences, listUnconfirmed, recordFenceConfirmed, recordFenceUnanswered } from './fence-store.ts'

const answerMs = 3_000
/** The time after which another replica takes the fence, if this process ends. An attempt ends long before. */
const leaseMs = 10_000
const batch = 20

type FenceParts = { bus: Bus; db: Database; clock: Clock; log: Log }

/** Call `wake` after a write that may change a fence. */
export function startFences(parts: FenceParts & { pauseMs: number }): Wakeable {
  const { db, log, pauseMs } = parts
  observeUnconfirmed('mandate fences', () => listUnconfirmed(db))
  return repeat({ name: 'mandate fences', pauseMs, log, work: () => settleFences(parts) })
}

/** Returns true if more may be waiting. */
async function settleFences(parts: FenceParts): Promise<boolean> {
  const { db, clock } = parts
  const fences = await leaseFences(db, clock.now(), new Date(clock.nowMs() + leaseMs), batch)
  const confirmed = await Promise.all(fences.map((fence) => settleOne(parts, fence)))
  return fences.length === batch && confirmed.every(Boolean)
}

async function settleOne({ bus, db, log }: FenceParts, fence: Fence): Promise<boolean> {
  const { mandate_id, fenced, version } = fence
  try {
    failpoint('mandate_fence.before_send')
    const open_attempts = await ask(bus, fence)
    failpoint('mandate_fence.before_confirm')
    await recordFenceConfirmed(db, fence)
    failpoint('mandate_fence.after_confirm')
    log.info({ mandate_id, fenced, version, open_attempts }, 'the submitter confirmed a fence')
    return true
  } catch (error) {
    await recordFenceUnanswered(db, fence)
    const why = error instanceof Error ? error.name : 'error'
    log.warn({ mandate_id, fenced, version, why }, 'the submitter did not confirm a fence')
    return false
  }
}

/** Returns the number of attempts that were open when the fence was raised. */
async function ask(bus: Bus, { mandate_id: target_id, fenced, reason, version }: Fence): Promise<number> {
  const about = { target: 'mandate', target_id, version } as const
  if (!fenced) {
    await callUntilAnswered(bus, 'int.submitter.unfence', about, answerMs)
    return 0
  }
  const answer = await callUntilAnswered(bus, 'int.submitter.fence', { ...about, reason }, answerMs)
  return answer.open_operation_ids.length
}
