/**
 * The outbox of the submission rows. An event stays until operations has confirmed it, and after a hand-over also the
 * reconciler. A late answer stays until the reconciler has taken it. A broker's acknowledgement is no confirmation.
 */

import type { Confirmation } from '@financial-agents/bus/messages/events'
import { type Database, statement } from '@financial-agents/postgres/database'
import type { SubmissionRow } from '../submission.ts'

/** The pauses between repetitions grow up to this, so that a consumer that is away for hours does not find the stream full. */
const longestPauseMs = 30_000

const take = statement(
  'outbox_take',
  `WITH due AS MATERIALIZED (
     SELECT operation_id FROM submissions WHERE NOT settled AND republish_at <= $1
       AND (state <> 'submitting' OR (operations_confirmed_sequence < sequence AND lease_until > $1))
     ORDER BY republish_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE submissions s SET publications = LEAST(s.publications + 1, 20),
     republish_at = LEAST($1 + LEAST($2 * 2 ^ LEAST(s.publications + 1, 20), $3) * interval '1 millisecond',
       CASE WHEN state = 'submitting' THEN lease_until END)
   FROM due WHERE s.operation_id = due.operation_id
   RETURNING s.*`,
)

// A confirmation of an earlier sequence than the row's is ignored: the next confirmation covers it. The confirmation of a
// claim is written only if the claim had to be published again.
// Its loss with the server costs one repetition of the event, so the commit need not wait for the disk.
const confirmByOperations = statement(
  'outbox_confirm_operations',
  `WITH soon AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
   UPDATE submissions s SET operations_confirmed_sequence = s.sequence
   FROM soon, unnest($1::uuid[], $2::integer[]) AS item(operation_id, sequence)
   WHERE s.operation_id = item.operation_id AND item.sequence >= s.sequence
     AND s.operations_confirmed_sequence < s.sequence AND (s.state <> 'submitting' OR s.publications > 0)`,
)
const confirmByReconciler = statement(
  'outbox_confirm_reconciler',
  `WITH locked AS (
     SELECT operation_id FROM submissions WHERE operation_id = ANY($1::uuid[]) AND NOT reconciler_confirmed
       AND state IN ('submitted', 'indeterminate') ORDER BY operation_id FOR NO KEY UPDATE
   )
   UPDATE submissions s SET reconciler_confirmed = true FROM locked WHERE s.operation_id = locked.operation_id`,
)

const reopen = statement(
  'outbox_reopen',
  `WITH item AS (
     SELECT i.* FROM unnest($1::uuid[]) AS i(operation_id)
     CROSS JOIN LATERAL (
       SELECT FROM submissions
       WHERE operation_id = i.operation_id AND operations_confirmed_sequence > base_sequence
       FOR NO KEY UPDATE) locked
   )
   UPDATE submissions s SET operations_confirmed_sequence = s.base_sequence, publications = 0, republish_at = $2
   FROM item WHERE s.operation_id = item.operation_id
   RETURNING s.operation_id`,
)

const listLate = statement(
  'outbox_late',
  `SELECT * FROM submissions WHERE late_answer IS NOT NULL AND NOT late_answer_delivered ORDER BY operation_id LIMIT $1`,
)
const late = statement(
  'outbox_late_delivered',
  'UPDATE submissions SET late_answer_delivered = true WHERE operation_id = $1',
)

/** Takes rows whose events are due again. Each row is postponed at once, so that replicas share the work. */
export function takeUnconfirmed(
  database: Database,
  options: { now: Date; republishAfterMs: number; limit: number },
): Promise<SubmissionRow[]> {
  return database.rows<SubmissionRow>(take, [options.now, options.republishAfterMs, longestPauseMs, options.limit])
}

/** Records that operations or the reconciler has committed these transitions. */
export async function recordConfirmation(database: Database, { by, items }: Confirmation): Promise<void> {
  const highest = new Map<string, number>()
  for (const { operation_id, sequence } of items)
    highest.set(operation_id, Math.max(sequence, highest.get(operation_id) ?? 0))
  const ids = [...highest.keys()].toSorted()
  if (by === 'operations') await database.rows(confirmByOperations, [ids, ids.map((id) => highest.get(id))])
  else await database.rows(confirmByReconciler, [ids])
}

/**
 * Withdraws the confirmations of operations that the service operations holds as accepted: a restore or a failover lost its later
 * state. Returns the ids that had been confirmed. Their events are due at once.
 */
export async function recordForgotten(
  database: Database,
  operationIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await database.rows<{ operation_id: string }>(reopen, [operationIds.toSorted(), now])
  return rows.map((row) => row.operation_id)
}

/** Rows with a late answer that the reconciler has not taken yet. */
export function listLateAnswers(database: Database, limit: number): Promise<SubmissionRow[]> {
  return database.rows<SubmissionRow>(listLate, [limit])
}

export async function recordLateDelivered(database: Database, operationId: string): Promise<void> {
  await database.rows(late, [operationId])
}
