/**
 * The outbox: one row for the operations that were claimed together. It stays until this service has heard that operations
 * has committed every event of the batch, and the reconciler every handoff. A late answer stays on its submission row until
 * the reconciler has taken it. A broker's acknowledgement is no confirmation.
 */

import { type Database, statement } from '@financial-agents/postgres/database'
import { rowColumns, type SubmissionRow } from '../submission.ts'

/** An operation that needs no repetition within this batch. */
export type SettledOperation = { batchId: string; operationId: string }

/** The pauses between repetitions grow up to this, so that a consumer that is away for hours does not find the stream full. */
const longestPauseMs = 30_000

// The table holds no more than what is in flight, and an index on the time would cost each claim more than the scan.
// Two replicas may each know a part of a batch as settled: this statement never empties a batch. The replica that knows
// the whole batch as settled removes it.
const take = statement(
  'outbox_take',
  `WITH due AS MATERIALIZED (
     SELECT batch_id FROM outbox WHERE republish_at <= $1
     ORDER BY republish_at, batch_id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
   ), taken AS (
     UPDATE outbox o SET publications = LEAST(o.publications + 1, 20),
       republish_at = $1 + LEAST($2 * 2 ^ LEAST(o.publications + 1, 20), $3) * interval '1 millisecond',
       operation_ids = COALESCE(NULLIF(ARRAY(
         SELECT item.id FROM unnest(o.operation_ids) AS item(id)
         WHERE NOT EXISTS (SELECT FROM unnest($5::uuid[], $6::uuid[]) AS settled(batch_id, operation_id)
           WHERE settled.batch_id = o.batch_id AND settled.operation_id = item.id)), '{}'), o.operation_ids)
     FROM due WHERE o.batch_id = due.batch_id
     RETURNING o.batch_id, o.operation_ids
   )
   SELECT taken.batch_id, ${rowColumns('s')} FROM taken CROSS JOIN unnest(taken.operation_ids) AS item(id)
   CROSS JOIN LATERAL (SELECT * FROM submissions WHERE operation_id = item.id LIMIT 1) s`,
)

// If the server crashes and loses this removal, the events are published once more. The commit therefore does not wait
// for the disk.
const remove = statement(
  'outbox_remove',
  `WITH soon AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), confirmed AS MATERIALIZED (
     SELECT batch_id FROM outbox WHERE batch_id = ANY($1::uuid[]) ORDER BY batch_id FOR UPDATE
   )
   DELETE FROM outbox USING soon, confirmed WHERE outbox.batch_id = confirmed.batch_id`,
)

const reopen = statement(
  'outbox_reopen',
  `WITH waiting AS MATERIALIZED (
     SELECT id FROM outbox CROSS JOIN unnest(operation_ids) AS item(id) WHERE id = ANY($1::uuid[])
   ), forgotten AS MATERIALIZED (
     SELECT s.operation_id, s.state, s.lease_until FROM unnest($1::uuid[]) AS item(id)
     CROSS JOIN LATERAL (SELECT * FROM submissions WHERE operation_id = item.id LIMIT 1) s
     WHERE NOT EXISTS (SELECT FROM waiting WHERE waiting.id = item.id)
   ), noted AS (
     INSERT INTO outbox (batch_id, operation_ids, lease_until, republish_at)
     SELECT $2, array_agg(operation_id), max(lease_until) FILTER (WHERE state = 'submitting'), $3
     FROM forgotten HAVING count(*) > 0
   )
   SELECT operation_id FROM forgotten`,
)

const listLate = statement(
  'outbox_late',
  `SELECT ${rowColumns('s')} FROM submissions s
   WHERE late_answer IS NOT NULL AND NOT late_answer_delivered ORDER BY operation_id LIMIT $1`,
)
const late = statement(
  'outbox_late_delivered',
  'UPDATE submissions SET late_answer_delivered = true WHERE operation_id = $1',
)

/** A batch that waits for confirmations, with the rows of its operations. */
export type WaitingBatch = { batchId: string; rows: SubmissionRow[] }

/**
 * Takes batches whose events are due again. Each batch is postponed at once, so that replicas share the work.
 * @param options.settled operations that need no repetition. They leave their batches
 */
export async function takeUnconfirmed(
  database: Database,
  options: { now: Date; republishAfterMs: number; limit: number; settled: readonly SettledOperation[] },
): Promise<WaitingBatch[]> {
  const { now, republishAfterMs, limit, settled } = options
  const rows = await database.rows<SubmissionRow & { batch_id: string }>(take, [
    now,
    republishAfterMs,
    longestPauseMs,
    limit,
    settled.map(({ batchId }) => batchId),
    settled.map(({ operationId }) => operationId),
  ])
  return Array.from(
    Map.groupBy(rows, (row) => row.batch_id),
    ([batchId, ofBatch]) => ({ batchId, rows: ofBatch }),
  )
}

export async function removeConfirmed(database: Database, batchIds: readonly string[]): Promise<void> {
  await database.rows(remove, [batchIds])
}

/**
 * Puts operations back that the service operations holds as accepted, unless they wait in the outbox: a restore or a failover lost
 * their later state. Returns their ids. Their events are due at once.
 * @param options.batchId a new id, for the batch of these operations
 */
export async function recordForgotten(
  database: Database,
  operationIds: readonly string[],
  options: { batchId: string; now: Date },
): Promise<string[]> {
  const rows = await database.rows<{ operation_id: string }>(reopen, [operationIds, options.batchId, options.now])
  return rows.map((row) => row.operation_id)
}

/** Rows with a late answer that the reconciler has not taken yet. */
export function listLateAnswers(database: Database, limit: number): Promise<SubmissionRow[]> {
  return database.rows<SubmissionRow>(listLate, [limit])
}

export async function recordLateDelivered(database: Database, operationId: string): Promise<void> {
  await database.rows(late, [operationId])
}
