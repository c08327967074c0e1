/**
 * Delivers late answers: those that arrived after the watchdog had given up their attempt. The row keeps a late answer until
 * the reconciler confirms it. For the reconciler it is evidence, never an outcome.
 */

import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Dependencies } from './dependencies.ts'
import { listLateAnswers, recordLateDelivered } from './store/outbox.ts'
import type { SubmissionRow } from './submission.ts'

const maxRows = 100

/**
 * Sends the late answers that wait, at most 100. An answer that the reconciler does not take waits for the next background job.
 * Never throws.
 */
export async function deliverLateAnswers(dependencies: Dependencies): Promise<void> {
  const { db, log } = dependencies
  try {
    for (const row of await listLateAnswers(db, maxRows)) {
      const refusal = await deliver(dependencies, row)
      if (refusal) log.warn({ err: refusal, operation_id: row.operation_id }, 'a late answer was not taken')
      else await recordLateDelivered(db, row.operation_id)
    }
  } catch (error) {
    log.warn({ err: error }, 'late answers were not delivered; they are sent again')
  }
}

/**
 * Returns a refusal, which concerns this row alone. Throws if the reconciler does not answer, which concerns all rows.
 */
async function deliver({ bus, config }: Dependencies, row: SubmissionRow): Promise<Problem | undefined> {
  if (row.late_answer === null) return undefined
  const answer = { operation_id: row.operation_id, ...row.late_answer }
  const context = { ...newContext(config.CALL_TIMEOUT_MS), traceparent: row.traceparent }
  try {
    await call(bus, 'int.reconciler.late-answer', answer, context)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
