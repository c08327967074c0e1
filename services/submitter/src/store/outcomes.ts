/**
 * Ends an attempt, by its own outcome or by the watchdog. Both compare and set the same row, so exactly one of them decides.
 * An answer that loses to the watchdog stays on the row until the reconciler has it.
 *
 * Rows are taken one by one in the order of their ids, as the confirmations do, so that batches never deadlock. PostgreSQL validates
 * the conditions again after it has waited for a row.
 */

import type { LateAnswer } from '@financial-agents/bus/messages/events'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationEvent, OperationState } from '@financial-agents/contract/machine'
import { type Database, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { rowColumns, type SubmissionRow } from '../submission.ts'

export type Outcome = {
  operationId: string
  attemptId: string
  event: OperationEvent
  state: OperationState
  upstreamReference: string | null
  resource: Readonly<Record<string, string>> | null
  failureCode: FailureCode | null
  failureDetail: string | null
  at: Date
  late: Omit<LateAnswer, 'operation_id'>
}

const record = statement(
  'outcome_record',
  `UPDATE submissions s SET state = item.state, sequence = s.sequence + 1, outcome_event = item.event,
     outcome_at = GREATEST(item.at, s.claimed_at), upstream_reference = item.upstream_reference,
     resource = item.resource, failure_code = item.failure_code, failure_detail = item.failure_detail
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::text[],
     $9::timestamptz[])
     AS item(operation_id, attempt_id, event, state, upstream_reference, resource, failure_code, failure_detail, at)
   WHERE s.operation_id = item.operation_id AND s.attempt_id = item.attempt_id AND s.state = 'submitting'
   RETURNING s.operation_id, s.state, s.sequence, s.outcome_at, s.resource`,
)

const find = statement(
  'outcome_find',
  'SELECT operation_id, outcome_event FROM submissions WHERE operation_id = ANY($1::uuid[])',
)

const keepLate = statement(
  'outcome_keep_late',
  `WITH item AS (
     SELECT i.* FROM json_to_recordset($1) AS i(operation_id uuid, attempt_id uuid, late jsonb)
     CROSS JOIN LATERAL (
       SELECT FROM submissions
       WHERE operation_id = i.operation_id AND attempt_id = i.attempt_id AND late_answer IS NULL
       FOR NO KEY UPDATE) locked
   )
   UPDATE submissions s SET late_answer = item.late FROM item WHERE s.operation_id = item.operation_id`,
)

// The outbox holds the latest lease of a batch: when it has ended, all leases of the batch have ended. The rows are
// locked in the order of their ids. One look at a batch is enough, because no attempt in the batch is open afterwards.
// Every returned row has the number of batches. If no attempt was open, one row has this number alone.
const expire = statement(
  'outcome_expire',
  `WITH due AS MATERIALIZED (
     SELECT batch_id, operation_ids FROM outbox WHERE lease_until < $1
     ORDER BY lease_until, batch_id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
   ), open AS MATERIALIZED (
     SELECT locked.operation_id
     FROM (SELECT DISTINCT id FROM due CROSS JOIN unnest(operation_ids) AS item(id) ORDER BY id) AS item
     CROSS JOIN LATERAL (
       SELECT operation_id FROM submissions WHERE operation_id = item.id AND state = 'submitting'
       FOR NO KEY UPDATE) locked
   ), looked AS (
     UPDATE outbox o SET lease_until = NULL, publications = 0, republish_at = $2
     FROM due WHERE o.batch_id = due.batch_id
   ), expired AS (
     UPDATE submissions s SET state = 'indeterminate', sequence = s.sequence + 1, outcome_event = 'lease_expired',
       outcome_at = GREATEST($1, s.claimed_at), failure_code = 'attempt_interrupted',
       failure_detail = 'The attempt ended without an outcome; the provider may have accepted the request.'
     FROM open WHERE s.operation_id = open.operation_id AND s.state = 'submitting'
     RETURNING ${rowColumns('s')}
   )
   SELECT looked.batches, expired.* FROM (SELECT count(*)::int AS batches FROM due) AS looked LEFT JOIN expired ON true`,
)

/** The columns of a row that the record of its outcome decides. All others are those of the claim and of the outcome. */
export type Recorded = Pick<SubmissionRow, 'operation_id' | 'state' | 'sequence' | 'outcome_at' | 'resource'>

/** Writes the outcomes that came in time. `late` holds the outcomes whose attempt the watchdog had given up. */
export async function recordOutcomes(
  database: Database,
  outcomes: readonly Outcome[],
): Promise<{ recorded: Recorded[]; late: Outcome[] }> {
  failpoint('outcome.before_commit')
  const sorted = outcomes.toSorted((one, other) => (one.operationId < other.operationId ? -1 : 1))
  const recorded = await database.rows<Recorded>(record, [
    sorted.map(({ operationId }) => operationId),
    sorted.map(({ attemptId }) => attemptId),
    sorted.map(({ event }) => event),
    sorted.map(({ state }) => state),
    sorted.map(({ upstreamReference }) => upstreamReference),
    sorted.map(({ resource }) => (resource === null ? null : JSON.stringify(resource))),
    sorted.map(({ failureCode }) => failureCode),
    sorted.map(({ failureDetail }) => failureDetail),
    sorted.map(({ at }) => at),
  ])
  failpoint('outcome.after_commit')
  if (recorded.length === outcomes.length) return { recorded, late: [] }
  const done = new Set(recorded.map((row) => row.operation_id))
  const missed = outcomes.filter((outcome) => !done.has(outcome.operationId))
  const rows = await database.rows<Pick<SubmissionRow, 'operation_id' | 'outcome_event'>>(find, [
    missed.map((outcome) => outcome.operationId),
  ])
  const rowOf = new Map(rows.map((row) => [row.operation_id, row]))
  // A statement whose answer was lost is retried. The outcome on the row is then this one.
  const isMine = (outcome: Outcome) => rowOf.get(outcome.operationId)?.outcome_event === outcome.event
  const late = missed.filter((outcome) => !isMine(outcome))
  if (late.length > 0) await database.rows(keepLate, [JSON.stringify(late.map(toLateRecord).toSorted(byId))])
  return { recorded, late }
}

/**
 * Gives up attempts whose lease has expired: they become indeterminate. Looks at no more than `limit` batches, and
 * returns their number. If the number equals the limit, more batches may wait.
 */
export async function recordExpiries(
  database: Database,
  options: { now: Date; republishAt: Date; limit: number },
): Promise<{ batches: number; expired: SubmissionRow[] }> {
  const values = [options.now, options.republishAt, options.limit]
  const rows = await database.rows<{ batches: number; operation_id: null } | (SubmissionRow & { batches: number })>(
    expire,
    values,
  )
  return {
    batches: rows[0]?.batches ?? 0,
    expired: rows.filter((row): row is SubmissionRow & { batches: number } => row.operation_id !== null),
  }
}

function byId(one: { operation_id: string }, other: { operation_id: string }): number {
  return one.operation_id < other.operation_id ? -1 : 1
}

function toLateRecord({ operationId, attemptId, late }: Outcome) {
  return { operation_id: operationId, attempt_id: attemptId, late }
}
