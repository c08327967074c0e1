/** Metrics of the submitter: claims by result, attempts by outcome, and the backlog of events and late answers. */

import { isOperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { observeOutboxes, outboxOf } from '@financial-agents/postgres/outbox-figures'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import type { ClaimResult } from './claim-result.ts'
import type { Dependencies } from './dependencies.ts'

const claims = counter('financial_agents.submitter.claims')
const submissions = counter('financial_agents.submitter.submissions')
const expired = counter('financial_agents.submitter.expired_attempts')

// An attempt under way is left out: nobody has to confirm it. A confirmed operation counts until its batch is confirmed.
export const outboxes = [
  outboxOf(
    'events',
    `SELECT s.since FROM outbox CROSS JOIN unnest(operation_ids) AS item(id)
     CROSS JOIN LATERAL (
       SELECT outcome_at AS since FROM submissions WHERE operation_id = item.id AND state <> 'submitting' LIMIT 1) s`,
  ),
  outboxOf(
    'late answers',
    `SELECT (late_answer->>'observed_at')::timestamptz AS since FROM submissions
     WHERE late_answer IS NOT NULL AND NOT late_answer_delivered ORDER BY operation_id`,
  ),
]

export function noteClaim(result: ClaimResult): void {
  claims.add({ result })
}

export function noteSubmission(kind: string, outcome: string): void {
  submissions.add({ kind: isOperationKind(kind) ? kind : 'unlisted', outcome })
}

export function noteExpired(attempts: number): void {
  expired.add({}, attempts)
}

export function observeBacklog({ db, clock }: Dependencies): void {
  submissions.startAtZero(operationKinds.map((kind) => ({ kind, outcome: 'uncertain' })))
  expired.startAtZero([{}])
  observeOutboxes({ db, clock, outboxes })
}
