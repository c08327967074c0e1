/**
 * Answers that came after the watchdog had given their attempt up: kept on the row and sent to the reconciler until it
 * says that it has them. They are evidence for it, never an outcome.
 */

import { call } from '@financial-agents/bus/rpc'
import { batchContext, type Parts } from './parts.ts'
import { listLateAnswers, recordLateDelivered } from './store/outbox.ts'

const maxRows = 100

/** Sends what is waiting; what the reconciler does not take stays for the next sweep. Never throws. */
export async function deliverLateAnswers({ database, bus, config, log }: Parts): Promise<void> {
  try {
    for (const row of await listLateAnswers(database, maxRows)) {
      if (row.late_answer === null) continue
      const answer = { operation_id: row.operation_id, ...row.late_answer }
      await call(bus, 'int.reconciler.late-answer', answer, {
        ...batchContext(config.CALL_TIMEOUT_MS),
        traceparent: row.traceparent,
      })
      await recordLateDelivered(database, row.operation_id)
    }
  } catch (error) {
    log.warn({ err: error }, 'late answers were not delivered; they are sent again')
  }
}
