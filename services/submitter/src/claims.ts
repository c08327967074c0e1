/**
 * Claims, gathered into one transaction for whatever is waiting. The verdict on an item comes from its own attempt id.
 * An unanswered commit is `unclear` for every item in it: not the winner, to be looked at again by the next delivery.
 */

import { type Batcher, createBatcher } from '@financial-agents/postgres/batcher'
import { isRowFault } from '@financial-agents/postgres/errors'
import type { ClaimEvents } from './claim-events.ts'
import { noteClaim } from './measure.ts'
import type { Parts } from './parts.ts'
import { publishEvents } from './publish.ts'
import { type ClaimItem, recordClaims } from './store/claims.ts'
import { recordForgotten } from './store/outbox.ts'

export type ClaimVerdict =
  /** The row is this attempt's, and the provider may be called once. */
  | 'won'
  /** The row is this attempt's, and nothing may be sent. */
  | 'decided'
  /** No row was made: there was one before, or the item could not be sent. */
  | 'none'
  | 'unclear'

export function createClaims(
  { db, bus, clock, config, log }: Parts,
  events: ClaimEvents,
): Batcher<ClaimItem, ClaimVerdict> {
  // Apart from the claim: whatever becomes of this, the verdicts stand.
  const tellAgain = async (operationIds: string[]) => {
    try {
      const forgotten = await recordForgotten(db, operationIds, clock.now())
      if (forgotten.length > 0)
        log.warn({ operation_ids: forgotten }, 'operations has as accepted what it had confirmed; it is told again')
    } catch (error) {
      log.warn({ err: error }, 'operations is told again when these operations come again')
    }
  }
  const batcher = createBatcher<ClaimItem, ClaimVerdict>({
    maxItems: 128,
    concurrency: 2,
    target: (item) => item.operation.operation_id,
    run: async (items) => {
      try {
        const rows = await recordClaims(db, items, config.REPUBLISH_AFTER_MS)
        events.claimed(rows.filter((row) => row.state === 'submitting'))
        publishEvents(
          bus,
          rows.filter((row) => row.state !== 'submitting'),
        )
        const byAttempt = new Map(rows.map((row) => [row.attempt_id, row.state]))
        const before = items.filter((item) => !byAttempt.has(item.attemptId))
        if (before.length > 0) void tellAgain(before.map((item) => item.operation.operation_id))
        return new Map(items.map((item) => [item.operation.operation_id, verdictOf(byAttempt.get(item.attemptId))]))
      } catch (error) {
        if (isRowFault(error)) throw error
        log.warn({ err: error, operations: items.length }, 'a claim was not answered; its operations come again')
        return new Map(items.map((item) => [item.operation.operation_id, 'unclear']))
      }
    },
  })
  return {
    submit: async (item) => {
      const verdict = await batcher.submit(item).catch((error: unknown) => {
        // Bad for good: it stays accepted at operations, and this line says so each time it comes.
        log.error({ err: error, operation_id: item.operation.operation_id }, 'an operation cannot be claimed')
        return 'none' as const
      })
      noteClaim(verdict)
      return verdict
    },
  }
}

function verdictOf(state: string | undefined): ClaimVerdict {
  if (state === undefined) return 'none'
  return state === 'submitting' ? 'won' : 'decided'
}
