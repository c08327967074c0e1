/**
 * Answers that came after the watchdog had given their attempt up: kept on the row and sent to the reconciler until it
 * says that it has them. They are evidence for it, never an outcome.
 */

import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Parts } from './parts.ts'
import { listLateAnswers, recordLateDelivered } from './store/outbox.ts'
import type { SubmissionRow } from './submission.ts'

const maxRows = 100

/** Sends what is waiting; what the reconciler does not take stays for the next sweep. Never throws. */
export async function deliverLateAnswers(parts: Parts): Promise<void> {
  const { db, log } = parts
  try {
    for (const row of await listLateAnswers(db, maxRows)) {
      const refusal = await deliver(parts, row)
      if (refusal) log.warn({ err: refusal, operation_id: row.operation_id }, 'a late answer was not taken')
      else await recordLateDelivered(db, row.operation_id)
    }
  } catch (error) {
    log.warn({ err: error }, 'late answers were not delivered; they are sent again')
  }
}

/** A refusal concerns this answer alone, and holds up no other. No answer concerns them all, and is thrown. */
async function deliver({ bus, config }: Parts, row: SubmissionRow): Promise<Problem | undefined> {
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
