/**
 * Locks due rows for their reads, each for one process by a token, and writes what the reads showed. One statement writes the
 * move, the evidence and the transition.
 *
 * Invariant: a read counts only if its process's token and the sequence that it read are still on the row. If two processes
 * read the same row, only one of them settles it.
 */

import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { type Database, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Reconciliation } from '../reconciliation.ts'

/** A statement names all columns that it returns: a prepared one fails once a migration adds a column to what `*` stands for. */
const lockedColumns = [
  'operation_id, kind, resource_id, owner_id, subject, client_id, grant_id, binding_id, traceparent, state, sequence',
  'updated_at, upstream_reference, target_reference, valid_until, reads, not_found, shown, review, lock_token',
]
  .join(', ')
  .replaceAll(/\w+/g, 'r.$&')

// If this statement's snapshot does not see the late answer, the coming read does not know the answer. `woken` then
// stays set, and another read follows.
const lock = statement(
  'read_lock',
  `WITH due AS MATERIALIZED (
     SELECT operation_id FROM reconciliations
     WHERE settled_at IS NULL AND next_read_at <= $1 AND (locked_until IS NULL OR locked_until <= $1)
     ORDER BY next_read_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
   ), locked AS (
     UPDATE reconciliations r SET locked_until = $2, lock_token = gen_random_uuid(),
       woken = r.woken AND NOT EXISTS (SELECT FROM late_answers l WHERE l.operation_id = r.operation_id)
     FROM due WHERE r.operation_id = due.operation_id
     RETURNING ${lockedColumns}
   )
   SELECT locked.*, late.outcome AS late_outcome, late.upstream_reference AS late_upstream_reference,
     late.failure_code AS late_failure_code
   FROM locked LEFT JOIN late_answers late USING (operation_id)`,
)

const settle = statement(
  'read_settle',
  `WITH item AS (
     SELECT * FROM json_to_recordset($1) AS i(operation_id uuid, sequence integer, lock_token uuid, state text,
       updated_at timestamptz, upstream_reference text, reads integer, not_found integer, shown boolean,
       next_read_at timestamptz, review_reason text, settled_at timestamptz, evidence jsonb, transition json)
   ), locked AS (
     SELECT operation_id FROM reconciliations WHERE operation_id IN (SELECT operation_id FROM item)
     ORDER BY operation_id FOR NO KEY UPDATE
   ), moved AS (
     UPDATE reconciliations r SET state = item.state,
       sequence = r.sequence + CASE WHEN item.transition IS NULL THEN 0 ELSE 1 END,
       updated_at = item.updated_at, upstream_reference = COALESCE(item.upstream_reference, r.upstream_reference),
       reads = item.reads, not_found = item.not_found, shown = item.shown,
       evidence_count = r.evidence_count + CASE WHEN item.evidence IS NULL THEN 0 ELSE 1 END,
       next_read_at = CASE WHEN item.settled_at IS NULL AND r.woken THEN $2 ELSE item.next_read_at END,
       locked_until = NULL, lock_token = NULL,
       review = r.review OR item.review_reason IS NOT NULL,
       review_reason = COALESCE(item.review_reason, r.review_reason),
       settled_at = item.settled_at
     FROM item JOIN locked USING (operation_id)
     WHERE r.operation_id = item.operation_id AND r.sequence = item.sequence AND r.lock_token = item.lock_token
     RETURNING r.operation_id, r.sequence, r.evidence_count, r.next_read_at
   ), noted AS (
     INSERT INTO evidence (operation_id, number, read, result, observed_at, digest, sequence)
     SELECT operation_id, moved.evidence_count, evidence->>'read', evidence->>'result',
       (evidence->>'observed_at')::timestamptz, evidence->>'digest', moved.sequence
     FROM moved JOIN item USING (operation_id) WHERE evidence IS NOT NULL
   ), sent AS (
     INSERT INTO transitions (operation_id, sequence, body, republish_at)
     SELECT operation_id, moved.sequence, transition, $3
     FROM moved JOIN item USING (operation_id) WHERE transition IS NOT NULL
   )
   SELECT operation_id, sequence, next_read_at FROM moved`,
)

/** The result of one read, for the row as it was locked. */
export type Reading = {
  operation_id: string
  kind: string
  /** The sequence when the row was locked; the write compares it. */
  sequence: number
  lock_token: string
  state: string
  updated_at: string
  upstream_reference: string | null
  reads: number
  not_found: number
  shown: boolean
  next_read_at: string | null
  review_reason: string | null
  settled_at: string | null
  evidence: { read: string; result: string; observed_at: string; digest: string } | null
  transition: OperationTransition | null
}

export type Settled = { operation_id: string; sequence: number; next_read_at: Date | null }

/** Locks rows whose read is due. After `lockedUntil` another process may lock them. */
export async function lockDue(
  database: Database,
  options: { now: Date; lockedUntil: Date; limit: number },
): Promise<Reconciliation[]> {
  failpoint('lock.before_commit')
  const rows = await database.rows<Reconciliation>(lock, [options.now, options.lockedUntil, options.limit])
  if (rows.length > 0) failpoint('lock.after_commit')
  return rows
}

/** Writes the results of reads. If a reading is missing from the result, another process had taken its row. */
export async function recordReadings(
  database: Database,
  readings: readonly Reading[],
  options: { now: Date; republishAt: Date },
): Promise<Settled[]> {
  failpoint('settle.before_commit')
  const settled = await database.rows<Settled>(settle, [JSON.stringify(readings), options.now, options.republishAt])
  failpoint('settle.after_commit')
  return settled
}
