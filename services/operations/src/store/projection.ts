/**
 * Statements of the projection. History is a set on (operation, sequence), inserted in any order. The view is the
 * highest sequence and never goes back (write protocol, rule 7).
 */

import { createHash } from 'node:crypto'
import type { OperationTransition, ReadPlanned } from '@financial-agents/bus/messages/events'
import { holdsPayload, isTerminal, type OperationState } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { newState } from './new-state.ts'

/** `accepted_at`: null until the owner has approved. */
export type Standing = { state: OperationState; sequence: number; accepted_at: Date | null }

const standings = statement(
  'find_standings',
  `SELECT o.* FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT id, state, sequence, accepted_at FROM operations o WHERE o.id = item.id LIMIT 1) o`,
)

/**
 * Reads the standings of these operations. Unknown operations are absent. Takes no lock: the move compares the sequence
 * and sets it.
 */
export async function findStandings(tx: Queryable, ids: readonly string[]): Promise<Map<string, Standing>> {
  const rows = await tx.rows<Standing & { id: string }>(standings, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** A row of history: a move, and the time of the claim before it if both arrived together. */
export type HistoryRow = OperationTransition & { claimed_at: string | null }

const row = `$1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
    $9::text[], $10::json[], $11::timestamptz[]`
const rowColumns =
  'operation_id, sequence, from_state, event, to_state, moved_by, at, failure_code, reason, evidence, claimed_at'

const rowValues = (rows: readonly HistoryRow[]) => [
  rows.map((move) => move.operation_id),
  rows.map((move) => move.sequence),
  rows.map((move) => move.from ?? newState),
  rows.map((move) => move.event),
  rows.map((move) => move.to),
  rows.map((move) => move.by),
  rows.map((move) => move.at),
  rows.map((move) => move.failure_code),
  rows.map((move) => move.reason),
  rows.map((move) => (move.evidence ? JSON.stringify(move.evidence) : null)),
  rows.map((move) => move.claimed_at),
]

const insertHistory = statement(
  'insert_history',
  `INSERT INTO history (${rowColumns}) SELECT * FROM unnest(${row}) ON CONFLICT DO NOTHING`,
)

/** Appends moves that their views have passed. A move that is already there changes nothing. */
export async function recordPast(tx: Queryable, rows: readonly HistoryRow[]): Promise<void> {
  if (rows.length > 0) await tx.rows(insertHistory, rowValues(rows))
}

const findHeld = statement(
  'held_history',
  `SELECT item.position, (h.from_state, h.event, h.to_state) = (item.from_state, item.event, item.to_state) AS equal
  FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS item (operation_id, sequence, from_state, event, to_state, position)
  CROSS JOIN LATERAL (
    (SELECT from_state, event, to_state FROM history
      WHERE operation_id = item.operation_id AND sequence = item.sequence LIMIT 1)
    UNION ALL
    (SELECT 'accepted', 'claim', 'submitting' FROM history
      WHERE operation_id = item.operation_id AND sequence = item.sequence + 1 AND claimed_at IS NOT NULL LIMIT 1)
    UNION ALL
    SELECT '${newState}', 'accept', 'accepted' WHERE item.sequence = 1
    LIMIT 1) h`,
)

/** `contradicted`: history has another transition at the sequence, so two services made a move there. */
export type Comparison = 'equal' | 'contradicted'

/** Looks these transitions up in history. A transition whose sequence history does not have is absent. */
export async function findHeldHistory(
  tx: Queryable,
  moves: readonly OperationTransition[],
): Promise<Map<OperationTransition, Comparison>> {
  if (moves.length === 0) return new Map()
  const rows = await tx.rows<{ position: number; equal: boolean }>(findHeld, [
    moves.map((move) => move.operation_id),
    moves.map((move) => move.sequence),
    moves.map((move) => move.from ?? newState),
    moves.map((move) => move.event),
    moves.map((move) => move.to),
  ])
  return new Map(
    rows.map(({ position, equal }) => [
      moves[position - 1] as OperationTransition,
      equal ? ('equal' as const) : ('contradicted' as const),
    ]),
  )
}

// History takes only rows of views that moved, so a batch that lost a view to another fails by the count and not by a
// duplicate key.
const moveViews = statement(
  'move_views',
  `WITH moved AS (
    UPDATE operations o SET
      state = item.state, sequence = item.sequence,
      updated_at = GREATEST(o.updated_at, item.at),
      failure_code = item.failure_code, failure_detail = item.failure_detail,
      upstream_reference = item.upstream_reference, next_reconcile_at = item.next_reconcile_at,
      resource_facts = COALESCE(item.resource, o.resource_facts),
      payload_sealed = CASE WHEN item.holds_payload THEN o.payload_sealed END,
      action_required = NULL
    FROM unnest($12::uuid[], $13::integer[], $14::text[], $15::timestamptz[], $16::text[], $17::text[], $18::text[],
      $19::timestamptz[], $20::boolean[], $21::integer[], $22::jsonb[])
      AS item (id, sequence, state, at, failure_code, failure_detail, upstream_reference, next_reconcile_at,
        holds_payload, from_sequence, resource)
    WHERE o.id = item.id AND o.sequence = item.from_sequence
    RETURNING o.id
  ), settled AS (
    DELETE FROM in_flight WHERE operation_id = ANY ($23::uuid[])
  ), noted AS (
    INSERT INTO history (${rowColumns})
    SELECT item.* FROM unnest(${row}) AS item (${rowColumns}) WHERE operation_id IN (SELECT id FROM moved)
  )
  SELECT id FROM moved`,
)

/** Another batch moved one of the views after its standing was read. */
export class ViewMoved extends Error {
  override readonly name = 'ViewMoved'
}

/**
 * Moves each view from its standing to its transition, and appends the rows of history that lead there. An operation
 * with an outcome is no longer in flight. Takes one transition for an operation, sorted by id, so that replicas wait
 * for each other in one order.
 * @throws ViewMoved if a view has left its standing
 */
export async function moveViewsTo(
  tx: Queryable,
  moves: readonly OperationTransition[],
  from: ReadonlyMap<string, { sequence: number }>,
  rows: readonly HistoryRow[],
): Promise<void> {
  if (moves.length === 0) return
  const moved = await tx.rows(moveViews, [
    ...rowValues(rows),
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
    moves.filter((move) => isTerminal(move.to)).map((move) => move.operation_id),
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
