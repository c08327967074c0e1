/**
 * The rows of approvals, and the moves of operations that follow from them.
 *
 * Invariant: the caller that learns the owner's answer moves the approval's open row. The same statement moves the
 * operation and appends its history. All other callers find nothing left to move. Items are sorted by id, so that
 * replicas wait for each other in one order.
 */

import type { Fenced } from '@financial-agents/bus/messages/authority'
import type { Evidence } from '@financial-agents/bus/messages/events'
import { holdsPayload, type OperationState } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { type ViewRow, viewColumns } from '../tables.ts'
import type { AskedBy, DueApproval, OpenApproval } from './item.ts'
import type { Outcome, Result } from './validate.ts'

const insert = statement(
  'insert_approvals',
  `INSERT INTO approvals (operation_id, state, failures, ask_after, next_check_at, created_at, updated_at)
  SELECT operation_id, 'unprepared', 0, $3, $4, $2, $2 FROM unnest($1::uuid[]) AS item (operation_id)`,
)

/** Runs in the transaction that creates the operations. */
export async function recordApprovals(
  tx: Queryable,
  operationIds: readonly string[],
  stamp: { now: Date; askAfter: Date; nextCheckAt: Date },
): Promise<void> {
  if (operationIds.length === 0) return
  await tx.rows(insert, [operationIds.toSorted(), stamp.now, stamp.askAfter, stamp.nextCheckAt])
}

// Half of the pause that the provider asked for, or one second before the approval is prepared.
const taking = `ask_after = $2::timestamptz + make_interval(secs => coalesce(poll_after_ms, 2000) / 2000.0),
    next_check_at = $3::timestamptz, updated_at = greatest(updated_at, $2::timestamptz)`
const taken = `RETURNING operation_id, state, approval, expires_at, poll_after_ms, failures, created_at`
const withOperations = `SELECT taken.*, o.* FROM taken
  CROSS JOIN LATERAL (SELECT kind, grant_id, client_id, binding_id, mandate_id, target_reference, traceparent, payload_sealed
    FROM operations o WHERE o.id = taken.operation_id LIMIT 1) o`

const takeOne = statement(
  'take_approval',
  `WITH taken AS (UPDATE approvals SET ${taking}
    WHERE operation_id = $1 AND next_check_at IS NOT NULL AND ask_after <= $2 ${taken})
  ${withOperations}`,
)

/**
 * Takes the turn to ask about one approval. Returns undefined if the approval is not open, or was asked about just now.
 */
export async function takeApproval(
  db: Queryable,
  operationId: string,
  turn: { now: Date; until: Date },
): Promise<OpenApproval | undefined> {
  const [item] = await db.rows<OpenApproval>(takeOne, [operationId, turn.now, turn.until])
  return item
}

const takeDue = statement(
  'take_due_approvals',
  `WITH taken AS (UPDATE approvals SET ${taking}
    WHERE operation_id = ANY (ARRAY(
      SELECT operation_id FROM approvals WHERE next_check_at <= $2 ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    ${taken})
  ${withOperations}`,
)

/** Takes the turns to ask about due approvals. Other replicas take over an approval without an answer at `until`. */
export function takeDueApprovals(
  db: Queryable,
  limit: number,
  turn: { now: Date; until: Date },
): Promise<DueApproval[]> {
  return db.rows(takeDue, [limit, turn.now, turn.until])
}

const hastenUnder = statement(
  'hasten_fenced_approvals',
  `UPDATE approvals SET next_check_at = $3
  WHERE operation_id = ANY (ARRAY(
    SELECT a.operation_id FROM approvals a
    CROSS JOIN LATERAL (SELECT grant_id, client_id, binding_id FROM operations o WHERE o.id = a.operation_id LIMIT 1) o
    WHERE a.next_check_at > $3 AND CASE $1
      WHEN 'grant' THEN o.grant_id WHEN 'client' THEN o.client_id WHEN 'binding' THEN o.binding_id END = $2))
    AND next_check_at > $3`,
)

/** Makes the open approvals under a fence due, so that the background job ends them. */
export async function hastenFenced(db: Queryable, { target, target_id }: Fenced, now: Date): Promise<void> {
  await db.rows(hastenUnder, [target, target_id, now])
}

const hasten = statement(
  'hasten_approval',
  `UPDATE approvals SET next_check_at = ask_after
  WHERE operation_id = $1 AND next_check_at > ask_after AND ask_after > $2`,
)

/** Notes a question that came too early. The background job then asks as soon as it may. */
export async function hastenApproval(db: Queryable, operationId: string, now: Date): Promise<void> {
  await db.rows(hasten, [operationId, now])
}

// An approval that was hastened while the question was under way stays due.
const postpone = statement(
  'postpone_approvals',
  `UPDATE approvals a SET failures = item.failures,
    next_check_at = CASE WHEN a.next_check_at = a.ask_after THEN a.next_check_at ELSE item.next_check_at END
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::integer[])
    AS item (operation_id, state, next_check_at, failures)
  WHERE a.operation_id = item.operation_id AND a.state = item.state AND a.next_check_at IS NOT NULL`,
)

export type Postponed = { item: OpenApproval; result: Extract<Result, { type: 'later' }> }

export async function recordPostponed(db: Queryable, postponed: readonly Postponed[]): Promise<void> {
  await db.rows(postpone, [
    postponed.map(({ item }) => item.operation_id),
    postponed.map(({ item }) => item.state),
    postponed.map(({ result }) => result.nextCheckAt),
    postponed.map(({ result }) => result.failures),
  ])
}

const view = viewColumns.map((name) => `o.${name}`).join(', ')
const tunnelled = `o.owner_id, o.subject, o.client_id, o.grant_id, o.binding_id, o.target_reference, o.sequence, o.traceparent`

const start = statement(
  'start_approvals',
  `WITH started AS (
    UPDATE approvals a SET state = 'waiting', approval = item.approval, expires_at = item.expires_at,
      poll_after_ms = item.poll_after_ms, failures = 0, ask_after = $7, next_check_at = item.next_check_at,
      updated_at = greatest(a.updated_at, $7)
    FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::integer[], $5::timestamptz[], $6::jsonb[])
      AS item (operation_id, approval, expires_at, poll_after_ms, next_check_at, action)
    WHERE a.operation_id = item.operation_id AND a.state = 'unprepared'
    RETURNING a.operation_id, item.action
  )
  UPDATE operations o SET action_required = started.action
  FROM started WHERE o.id = started.operation_id AND o.state = 'requires_action'
  RETURNING ${view}`,
)

export type Prepared = { item: OpenApproval; result: Extract<Result, { type: 'started' }> }

/**
 * Writes the address of the provider's page to the operations, so that their owners can decide there. Returns the
 * operations that did not have the address yet.
 */
export function recordStarted(db: Queryable, prepared: readonly Prepared[], now: Date): Promise<ViewRow[]> {
  return db.rows(start, [
    prepared.map(({ item }) => item.operation_id),
    prepared.map(({ result }) => result.approval),
    prepared.map(({ result }) => result.action.expires_at),
    prepared.map(({ result }) => result.action.poll_after_ms),
    prepared.map(({ result }) => result.nextCheckAt),
    prepared.map(({ result }) => JSON.stringify(result.action)),
    now,
  ])
}

const decide = statement(
  'decide_approvals',
  `WITH decided AS (
    UPDATE approvals a SET state = item.outcome, next_check_at = NULL, updated_at = greatest(a.updated_at, $10)
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::json[])
      AS item (operation_id, outcome, event, to_state, holds_payload, failure_code, failure_detail, reason, evidence)
    WHERE a.operation_id = item.operation_id AND a.state IN ('unprepared', 'waiting')
    RETURNING item.*
  ), moved AS (
    UPDATE operations o SET
      state = decided.to_state, sequence = o.sequence + 1, updated_at = greatest(o.updated_at, $10::timestamptz),
      failure_code = decided.failure_code, failure_detail = decided.failure_detail, action_required = NULL,
      payload_sealed = CASE WHEN decided.holds_payload THEN o.payload_sealed END,
      accepted_at = CASE WHEN decided.to_state = 'accepted' THEN $10::timestamptz END
    FROM decided WHERE o.id = decided.operation_id AND o.state = 'requires_action'
    RETURNING ${view}, ${tunnelled}, decided.event, decided.reason, decided.evidence
  ), noted AS (
    INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at, failure_code, reason, evidence)
    SELECT id, sequence, 'requires_action', event, state, 'operations', updated_at, failure_code, reason, evidence FROM moved
  ), swept AS (
    INSERT INTO in_flight (operation_id, publish_after) SELECT id, $11::timestamptz FROM moved WHERE state = 'accepted'
  )
  SELECT * FROM moved`,
)

export type Decided = {
  item: OpenApproval
  result: Outcome
  to: OperationState
  by: AskedBy
  /** Null if nothing was asked. */
  evidence: Evidence | null
}

/** An operation after a move of this service, with the facts of the move. */
export type MovedRow = ViewRow & {
  owner_id: string
  subject: string
  client_id: string
  grant_id: string
  binding_id: string
  target_reference: string | null
  sequence: number
  traceparent: string
  event: Outcome['event'] | 'accept_for_approval'
  reason: string | null
  evidence: Evidence | null
}

/**
 * Moves the operations that were still open, and returns them. The same statement puts an accepted operation into the
 * background job.
 */
export function recordOutcomes(
  db: Queryable,
  decided: readonly Decided[],
  stamp: { now: Date; publishAfter: Date },
): Promise<MovedRow[]> {
  return db.rows(decide, [
    decided.map(({ item }) => item.operation_id),
    decided.map(({ result }) => result.state),
    decided.map(({ result }) => result.event),
    decided.map(({ to }) => to),
    decided.map(({ to }) => holdsPayload(to)),
    decided.map(({ result }) => result.failure_code),
    decided.map(({ result }) => result.failure_detail),
    decided.map(({ by }) => by),
    decided.map(({ evidence }) => evidence && JSON.stringify(evidence)),
    stamp.now,
    stamp.publishAfter,
  ])
}

// An approval that was not needed is known from the answer of the creation.
const toRepeat = statement(
  'find_moves_to_repeat',
  `SELECT ${view}, ${tunnelled}, NULL AS reason, NULL AS evidence,
    CASE o.state WHEN 'accepted' THEN 'approval_granted' ELSE 'accept_for_approval' END AS event
  FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = item.id LIMIT 1) o
  WHERE o.state = 'requires_action' OR o.state = 'accepted' AND EXISTS (SELECT FROM history h
    WHERE h.operation_id = o.id AND h.sequence = o.sequence AND h.evidence->>'result' <> 'not_needed')`,
)

/** Finds those of the operations that wait for an approval, or were accepted after one, with their last move. */
export function findMovesToRepeat(db: Queryable, ids: readonly string[]): Promise<MovedRow[]> {
  return db.rows(toRepeat, [ids])
}

const findOne = statement('find_operation_row', `SELECT ${view} FROM operations o WHERE o.id = $1`)

export async function findOperationRow(db: Queryable, operationId: string): Promise<ViewRow | undefined> {
  const [row] = await db.rows<ViewRow>(findOne, [operationId])
  return row
}
