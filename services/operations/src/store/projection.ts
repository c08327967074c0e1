/**
 * Statements of the projection. History is a set on (operation, sequence), inserted in any order. The view is the
 * highest sequence and never goes back (write protocol, rule 7).
 */

import { createHash } from 'node:crypto'
import type { OperationTransition, ReadPlanned } from '@financial-agents/bus/messages/events'
import { holdsPayload, type OperationState } from '@financial-agents/operation-machine/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { newState } from './new-state.ts'

export type Standing = { state: OperationState; sequence: number }

const standings = statement(
  'find_standings',
  `SELECT o.* FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT id, state, sequence FROM operations o WHERE o.id = item.id LIMIT 1) o`,
)

/**
 * Reads the standings of these operations. Unknown operations are absent. Takes no lock: the move compares the sequence
 * and sets it.
 */
export async function findStandings(tx: Queryable, ids: readonly string[]): Promise<Map<string, Standing>> {
  const rows = await tx.rows<Standing & { id: string }>(standings, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

const insertHistory = statement(
  'insert_history',
  `INSERT INTO history
    (operation_id, sequence, from_state, event, to_state, moved_by, at, failure_code, reason, evidence)
  SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
    $8::text[], $9::text[], $10::json[])
  ON CONFLICT DO NOTHING`,
)

/** Appends transitions. A transition that is already there changes nothing. */
export async function recordHistory(tx: Queryable, moves: readonly OperationTransition[]): Promise<void> {
  if (moves.length === 0) return
  await tx.rows(insertHistory, [
    moves.map((move) => move.operation_id),
    moves.map((move) => move.sequence),
    moves.map((move) => move.from ?? newState),
    moves.map((move) => move.event),
    moves.map((move) => move.to),
    moves.map((move) => move.by),
    moves.map((move) => move.at),
    moves.map((move) => move.failure_code),
    moves.map((move) => move.reason),
    moves.map((move) => (move.evidence ? JSON.stringify(move.evidence) : null)),
  ])
}

const contradicted = statement(
  'contradicted_history',
  `SELECT item.position FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS item (operation_id, sequence, from_state, event, to_state, position)
  CROSS JOIN LATERAL (SELECT from_state, event, to_state FROM history h
    WHERE h.operation_id = item.operation_id AND h.sequence = item.sequence LIMIT 1) h
  WHERE (h.from_state, h.event, h.to_state) <> (item.from_state, item.event, item.to_state)`,
)

/**
 * Finds the transitions whose sequence holds another transition in history. Two pen-holders wrote the same sequence
 * then.
 */
export async function findContradicted(
  tx: Queryable,
  moves: readonly OperationTransition[],
): Promise<Set<OperationTransition>> {
  if (moves.length === 0) return new Set()
  const rows = await tx.rows<{ position: number }>(contradicted, [
    moves.map((move) => move.operation_id),
    moves.map((move) => move.sequence),
    moves.map((move) => move.from ?? newState),
    moves.map((move) => move.event),
    moves.map((move) => move.to),
  ])
  return new Set(rows.map((row) => moves[row.position - 1] as OperationTransition))
}

const moveViews = statement(
  'move_views',
  `UPDATE operations o SET
    state = item.state, sequence = item.sequence,
    updated_at = GREATEST(o.updated_at, item.at),
    failure_code = item.failure_code, failure_detail = item.failure_detail,
    upstream_reference = item.upstream_reference, next_reconcile_at = item.next_reconcile_at,
    resource_facts = COALESCE(item.resource, o.resource_facts),
    payload_sealed = CASE WHEN item.holds_payload THEN o.payload_sealed END,
    action_required = NULL
  FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
    $8::timestamptz[], $9::boolean[], $10::integer[], $11::jsonb[])
    AS item (id, sequence, state, at, failure_code, failure_detail, upstream_reference, next_reconcile_at, holds_payload,
      from_sequence, resource)
  WHERE o.id = item.id AND o.sequence = item.from_sequence
  RETURNING o.id`,
)

/** Another batch moved one of the views after its standing was read. */
export class ViewMoved extends Error {
  override readonly name = 'ViewMoved'
}

/**
 * Moves each view from its standing to its transition. Takes one transition for an operation, sorted by id, so that
 * replicas wait for each other in one order.
 * @throws ViewMoved if a view has left its standing
 */
export async function moveViewsTo(
  tx: Queryable,
  moves: readonly OperationTransition[],
  from: ReadonlyMap<string, Standing>,
): Promise<void> {
  if (moves.length === 0) return
  const moved = await tx.rows(moveViews, [
    moves.map((move) => move.operation_id),
    moves.map((move) => move.sequence),
    moves.map((move) => move.to),
    moves.map((move) => move.at),
    moves.map((move) => move.failure_code),
    moves.map((move) => move.failure_detail),
    moves.map((move) => move.upstream_reference),
    moves.map((move) => move.next_reconcile_at),
    moves.map((move) => holdsPayload(move.to)),
    moves.map((move) => from.get(move.operation_id)?.sequence),
    moves.map((move) => (move.resource ? JSON.stringify(move.resource) : null)),
  ])
  if (moved.length < moves.length) throw new ViewMoved()
}

// GREATEST: plans of one sequence may arrive in any order, and a later plan has a later time.
const planReads = statement(
  'plan_reads',
  `UPDATE operations o SET next_reconcile_at = GREATEST(o.next_reconcile_at, item.at)
  FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[]) AS item (id, sequence, at)
  WHERE o.id = item.id AND o.sequence = item.sequence`,
)

/** Shows the planned reads of operations that still have the sequence of the plan. Takes one plan for an operation. */
export async function recordReadPlans(tx: Queryable, plans: readonly ReadPlanned[]): Promise<void> {
  if (plans.length === 0) return
  await tx.rows(planReads, [
    plans.map((plan) => plan.operation_id),
    plans.map((plan) => plan.sequence),
    plans.map((plan) => plan.next_reconcile_at),
  ])
}

export const parkReasons = [
  'malformed',
  'illegal_transition',
  'broken_chain',
  'contradicts_history',
  'unknown_operation',
  'refused_by_database',
] as const

export type ParkReason = (typeof parkReasons)[number]

export type Parked = { reason: ParkReason; transition: unknown }

const park = statement(
  'park_events',
  `INSERT INTO parked_events (digest, operation_id, reason, transition, parked_at)
  SELECT item.*, $5::timestamptz FROM unnest($1::bytea[], $2::text[], $3::text[], $4::json[])
    AS item (digest, operation_id, reason, transition)
  ORDER BY digest
  ON CONFLICT DO NOTHING
  RETURNING operation_id, reason`,
)

/** Parks transitions that cannot be projected. Returns those that had not been parked before. */
export async function recordParked(
  db: Queryable,
  parked: readonly Parked[],
  now: Date,
): Promise<{ operation_id: string; reason: ParkReason }[]> {
  if (parked.length === 0) return []
  const texts = parked.map(({ transition }) => JSON.stringify(transition) ?? 'null')
  return db.rows(park, [
    texts.map((text) => createHash('sha256').update(text).digest()),
    parked.map(({ transition }) => describeId(transition)),
    parked.map(({ reason }) => reason),
    texts,
    now,
  ])
}

function describeId(transition: unknown): string {
  const id = (transition as { operation_id?: unknown } | null)?.operation_id
  return typeof id === 'string' ? id.replaceAll('\0', '').slice(0, 64) : 'unknown'
}
