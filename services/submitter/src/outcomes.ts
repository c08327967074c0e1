/**
 * Batches outcomes: one statement writes the outcomes that wait. An outcome is retried for as long as the database is
 * unreachable. An outcome that lost to the watchdog goes to the reconciler as a late answer.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { apply, type OperationEvent } from '@financial-agents/contract/machine'
import { createBatcher } from '@financial-agents/postgres/batcher'
import { isRowFault } from '@financial-agents/postgres/errors'
import type { SubmitOutcome } from '@financial-agents/provider-port/port'
import { storableFacts, storableText } from '@financial-agents/provider-port/storable'
import type { ClaimEvents } from './claim-events.ts'
import type { Dependencies } from './dependencies.ts'
import { deliverLateAnswers } from './late-answers.ts'
import { publishEvents } from './publish.ts'
import { type ClaimItem, claimedRow } from './store/claims.ts'
import { type Outcome, type Recorded, recordOutcomes } from './store/outcomes.ts'
import type { SubmissionRow } from './submission.ts'

const retryMs = 500

const eventOf: Record<SubmitOutcome['type'], OperationEvent> = {
  succeeded: 'provider_completed',
  submitted: 'provider_accepted',
  failed: 'provider_refused',
  unsent: 'provider_refused',
  uncertain: 'outcome_unknown',
}

type Ended = Outcome & { claim: ClaimItem }

export function createOutcomes(dependencies: Dependencies, events: ClaimEvents) {
  const { db, bus, clock, confirmations, log } = dependencies
  const batcher = createBatcher<Ended, 'written' | 'again'>({
    maxItems: 128,
    concurrency: 2,
    target: (outcome) => outcome.operationId,
    run: async (outcomes) => {
      const all = (result: 'written' | 'again') => new Map(outcomes.map((item) => [item.operationId, result]))
      try {
        const { recorded, late } = await recordOutcomes(db, outcomes)
        const ended = new Map(outcomes.map((outcome) => [outcome.operationId, outcome]))
        const rows = recorded.map((row) => endedRow(ended.get(row.operation_id) as Ended, row))
        publishEvents(bus, rows, confirmations.heardOf)
        confirmations.ended(rows)
        events.overtaken(rows)
        if (late.length > 0) void deliverLateAnswers(dependencies)
        return all('written')
      } catch (error) {
        if (isRowFault(error)) throw error
        log.warn({ err: error, operations: outcomes.length }, 'outcomes were not written; they are tried again')
        return all('again')
      }
    },
  })
  return {
    /** Resolves when the outcome is written to the row. */
    record: async (claim: ClaimItem, outcome: SubmitOutcome): Promise<void> => {
      const operationId = claim.operation.operation_id
      const item = { ...toOutcome(operationId, claim.attemptId, outcome, clock.now()), claim }
      try {
        while ((await batcher.submit(item)) === 'again') await new Promise((resolve) => setTimeout(resolve, retryMs))
      } catch (error) {
        // The row stays open: the watchdog makes it indeterminate, and the reconciler's reads settle it.
        log.error({ err: error, operation_id: operationId }, 'an outcome cannot be written')
      }
    },
  }
}

/** The row as it is after the record of its outcome. */
function endedRow(
  { claim, event, upstreamReference, failureCode, failureDetail }: Ended,
  recorded: Recorded,
): SubmissionRow {
  return {
    ...claimedRow(claim),
    outcome_event: event,
    upstream_reference: upstreamReference,
    failure_code: failureCode,
    failure_detail: failureDetail,
    ...recorded,
  }
}

function toOutcome(operationId: string, attemptId: string, outcome: SubmitOutcome, at: Date): Outcome {
  const event = eventOf[outcome.type]
  const applied = apply('submitting', event)
  if (!applied.ok) throw new Error(`${event} is no outcome of an attempt`)
  const upstreamReference = 'upstreamReference' in outcome ? storableText(outcome.upstreamReference) : null
  const resource = outcome.type === 'succeeded' ? storableFacts(outcome.resource) : null
  const failureCode: FailureCode | null = 'failureCode' in outcome ? outcome.failureCode : null
  return {
    operationId,
    attemptId,
    event,
    state: applied.to,
    upstreamReference,
    resource,
    failureCode,
    failureDetail: 'failureDetail' in outcome ? storableText(outcome.failureDetail) : null,
    at,
    late: {
      outcome: outcome.type,
      upstream_reference: upstreamReference,
      resource,
      failure_code: failureCode,
      observed_at: at.toISOString(),
    },
  }
}
