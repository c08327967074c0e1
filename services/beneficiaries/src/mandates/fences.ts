/**
 * Asks the submitter for every unconfirmed fence of a mandate until the submitter confirms the fence. A handler wakes
 * the background job, so that a new fence is requested at once. Repeated requests change nothing at the submitter. An unanswered
 * request is sent again at the next background job.
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

type FenceDependencies = { bus: Bus; db: Database; clock: Clock; log: Log }

/** Call `wake` after a write that may raise a fence. */
export function startFences(dependencies: FenceDependencies & { pauseMs: number }): Wakeable {
  const { db, log, pauseMs } = dependencies
  observeUnconfirmed('mandate fences', () => listUnconfirmed(db))
  return repeat({ name: 'mandate fences', pauseMs, log, work: () => settleFences(dependencies) })
}

/** Returns true if more may be waiting. */
async function settleFences(dependencies: FenceDependencies): Promise<boolean> {
  const { db, clock } = dependencies
  const fences = await leaseFences(db, clock.now(), new Date(clock.nowMs() + leaseMs), batch)
  const confirmed = await Promise.all(fences.map((fence) => settleOne(dependencies, fence)))
  return fences.length === batch && confirmed.every(Boolean)
}

async function settleOne({ bus, db, log }: FenceDependencies, { mandate_id, reason }: Fence): Promise<boolean> {
  // It is never lifted, so it has only one version.
  const request = { target: 'mandate', target_id: mandate_id, version: 1, reason } as const
  try {
    failpoint('mandate_fence.before_send')
    const { open_operation_ids } = await callUntilAnswered(bus, 'int.submitter.fence', request, answerMs)
    failpoint('mandate_fence.before_confirm')
    await recordFenceConfirmed(db, mandate_id)
    failpoint('mandate_fence.after_confirm')
    log.info({ mandate_id, open_attempts: open_operation_ids.length }, 'the submitter confirmed a fence')
    return true
  } catch (error) {
    await recordFenceUnanswered(db, mandate_id)
    const why = error instanceof Error ? error.name : 'error'
    log.warn({ mandate_id, why }, 'the submitter did not confirm a fence')
    return false
  }
}
