/** The handoff gives the pen to the reconciler. The first handoff of an operation counts; a repeated one changes nothing. */

import type { LateAnswer, OperationTransition } from '@financial-agents/bus/messages/events'
import { type Database, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'

// Bounds the wait for the first read by this process's own clock: the submitter's clock may be hours ahead.
const firstReadMs = 1_000

const insert = statement(
  'handoff_insert',
  `INSERT INTO reconciliations (operation_id, kind, resource_id, owner_id, subject, client_id, grant_id, binding_id,
     traceparent, state, sequence, updated_at, upstream_reference, target_reference, valid_until, shown, next_read_at)
   SELECT operation_id, kind, resource_id, owner_id, subject, client_id, grant_id, binding_id, traceparent, "to",
     sequence, at, upstream_reference, target_reference, valid_until, "to" = 'submitted', LEAST(COALESCE(next_reconcile_at, at), $2)
   FROM json_to_recordset($1) AS i(operation_id uuid, kind text, resource_id text, owner_id text, subject text,
     client_id text, grant_id text, binding_id text, traceparent text, "to" text, sequence integer, at timestamptz,
     upstream_reference text, target_reference text, valid_until timestamptz, next_reconcile_at timestamptz)
   ORDER BY operation_id
   ON CONFLICT (operation_id) DO NOTHING`,
)

const insertLate = statement(
  'late_insert',
  `INSERT INTO late_answers (operation_id, outcome, upstream_reference, resource, failure_code, observed_at, received_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (operation_id) DO NOTHING`,
)
// A current read began before this answer was known. `woken` makes another read follow it.
const wake = statement(
  'late_wake',
  `UPDATE reconciliations SET next_read_at = LEAST(next_read_at, $2), woken = true
   WHERE operation_id = $1 AND settled_at IS NULL`,
)

/** Takes over operations whose outcome the submitter left open. */
export async function recordHandoffs(
  database: Database,
  transitions: readonly OperationTransition[],
  now: Date,
): Promise<void> {
  failpoint('handoff.before_commit')
  await database.rows(insert, [JSON.stringify(transitions), new Date(now.getTime() + firstReadMs)])
  failpoint('handoff.after_commit')
}

/** Keeps the first late answer of an attempt, and makes the next read due at once. */
export async function recordLateAnswer(database: Database, answer: LateAnswer, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows(insertLate, [
      answer.operation_id,
      answer.outcome,
      answer.upstream_reference,
      answer.resource,
      answer.failure_code,
      answer.observed_at,
      now,
    ])
    await tx.rows(wake, [answer.operation_id, now])
    failpoint('late_answer.before_commit')
  })
  failpoint('late_answer.after_commit')
}
