/**
 * Batches claims: the claims that wait share one transaction. The result on an item comes from its own attempt id. A
 * commit without an answer gives `unclear` to every item in it: none of them won, and the next delivery claims again.
 */

import { randomUUID } from 'node:crypto'
import { type Batcher, createBatcher } from '@financial-agents/postgres/batcher'
import { isRowFault } from '@financial-agents/postgres/errors'
import type { ClaimEvents } from './claim-events.ts'
import type { ClaimResult } from './claim-result.ts'
import type { Dependencies } from './dependencies.ts'
import { noteClaim } from './measure.ts'
import { publishEvents } from './publish.ts'
import { isFromBefore } from './recovery.ts'
import { batchIdOf, type ClaimItem, recordClaims } from './store/claims.ts'
import { recordForgotten } from './store/outbox.ts'

/** The number of claims at the same time. */
export const claimLanes = 2

export function createClaims(
  { db, bus, clock, config, confirmations, log, witness }: Dependencies,
  events: ClaimEvents,
): Batcher<ClaimItem, ClaimResult> {
  // Separate from the claim: a failure here does not change the results.
  const tellAgain = async (operationIds: string[]) => {
    try {
      const forgotten = await recordForgotten(db, operationIds, { batchId: randomUUID(), now: clock.now() })
      if (forgotten.length > 0)
        log.warn({ operation_ids: forgotten }, 'operations has as accepted what it had confirmed; it is notified again')
    } catch (error) {
      log.warn({ err: error }, 'operations is notified again when these operations come again')
    }
  }
  const batcher = createBatcher<ClaimItem, ClaimResult>({
    maxItems: 128,
    concurrency: claimLanes,
    target: (item) => item.operation.operation_id,
    run: async (items) => {
      try {
        const { result: rows, witnessed } = await witness.record(
          (mark, recoveryPoint) =>
            recordClaims(db, validateAge(items, recoveryPoint), config.REPUBLISH_AFTER_MS, mark()),
          config.LEASE_MS - config.PROVIDER_TIMEOUT_MS,
        )
        if (rows.length > 0) confirmations.hold({ batchId: batchIdOf(items), rows })
        // Rows of an older primary must not reach anybody. The outbox publishes them if this database is proven to be the newest.
        if (witnessed) {
          events.claimed(rows.filter((row) => row.state === 'submitting'))
          publishEvents(
            bus,
            rows.filter((row) => row.state !== 'submitting'),
          )
        }
        const byAttempt = new Map(rows.map((row) => [row.attempt_id, row.state]))
        const before = items.filter((item) => !byAttempt.has(item.attemptId))
        if (before.length > 0) void tellAgain(before.map((item) => item.operation.operation_id))
        return new Map(
          items.map((item) => [item.operation.operation_id, resultOf(byAttempt.get(item.attemptId), witnessed)]),
        )
      } catch (error) {
        if (isRowFault(error)) throw error
        log.warn({ err: error, operations: items.length }, 'a claim was not answered; its operations come again')
        return new Map(items.map((item) => [item.operation.operation_id, 'unclear']))
      }
    },
  })
  return {
    submit: async (item) => {
      const result = await batcher.submit(item).catch((error: unknown) => {
        // A permanent fault: operations keeps the operation as accepted, and each delivery logs this line.
        log.error({ err: error, operation_id: item.operation.operation_id }, 'an operation cannot be claimed')
        return 'none' as const
      })
      noteClaim(result)
      return result
    },
  }
}

/** Marks the items that a lost attempt may have submitted. */
function validateAge(items: readonly ClaimItem[], recoveryPoint: Date | undefined): readonly ClaimItem[] {
  if (recoveryPoint === undefined) return items
  return items.map((item) => ({ ...item, beforeRecovery: isFromBefore(recoveryPoint, item.operation) }))
}

function resultOf(state: string | undefined, witnessed: boolean): ClaimResult {
  if (state === undefined) return 'none'
  if (state !== 'submitting') return 'decided'
  return witnessed ? 'won' : 'unwitnessed'
}
