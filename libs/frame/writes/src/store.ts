/**
 * The statements on the rows of writes. Callers group them into transactions.
 *
 * Invariants: rows are locked in the same order everywhere. A row moves only to a higher sequence of its own operation,
 * so events may arrive twice, late and in any order. A result makes only a draft accepted or void.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { outboxOf } from '@financial-agents/postgres/outbox-figures'
import type { Draft, Move, Write } from './write.ts'

const write = 'w.operation_id, w.kind, w.resource_id, w.owner_id, w.client_id'

const insertDrafts = statement(
  'writes_insert_drafts',
  // Sorted by key, so that two replicas cannot deadlock on each other's rows.
  `INSERT INTO writes (operation_id, kind, resource_id, owner_id, client_id, route, idempotency_key, request_hash, state,
     operation_sequence, next_check_at, created_at, updated_at)
   SELECT operation_id, kind, resource_id, owner_id, client_id, route, idempotency_key, request_hash, 'draft', 0, $2, $3, $3
   FROM jsonb_to_recordset($1::jsonb) AS d(operation_id uuid, kind text, resource_id uuid, owner_id text, client_id text,
     route text, idempotency_key text, request_hash text)
   ORDER BY owner_id, client_id, route, idempotency_key, request_hash, operation_id
   ON CONFLICT (owner_id, client_id, route, idempotency_key, request_hash) DO NOTHING
   RETURNING operation_id`,
)

const findEqual = statement(
  'writes_find_equal',
  `SELECT d.operation_id AS token, w.operation_id, w.resource_id, w.state <> 'draft' AS decided
   FROM jsonb_to_recordset($1::jsonb) AS d(operation_id uuid, owner_id text, client_id text, route text,
     idempotency_key text, request_hash text)
   JOIN writes w USING (owner_id, client_id, route, idempotency_key, request_hash)`,
)

const deleteDrafts = statement(
  'writes_delete_drafts',
  `DELETE FROM writes WHERE operation_id = ANY($1::uuid[]) AND state = 'draft'`,
)

/**
 * The row that holds a request: its own draft, or that of an equal request. `decided`: the row is no longer a draft.
 */
export type TakenWrite = { operation_id: string; resource_id: string; decided: boolean }

/** Inserts drafts that no equal row blocks. Returns the operation ids of the inserted drafts. */
export async function recordDrafts(
  tx: Queryable,
  drafts: readonly Draft<unknown>[],
  now: Date,
  nextCheckAt: Date,
): Promise<Set<string>> {
  const inserted = await tx.rows<{ operation_id: string }>(insertDrafts, [rowsOf(drafts), nextCheckAt, now])
  return new Set(inserted.map((row) => row.operation_id))
}

/** Finds the rows that blocked drafts, by the operation id of the blocked draft. */
export async function findEqualWrites(
  db: Queryable,
  drafts: readonly Draft<unknown>[],
): Promise<Map<string, TakenWrite>> {
  const found = await db.rows<TakenWrite & { token: string }>(findEqual, [rowsOf(drafts)])
  return new Map(found.map(({ token, ...taken }) => [token, taken]))
}

/** Leaves out the kinds' inputs. */
function rowsOf(drafts: readonly Draft<unknown>[]): string {
  return JSON.stringify(drafts.map((draft) => ({ ...draft, input: undefined })))
}

/** Deletes refused drafts in the transaction that inserted them. */
export async function removeDrafts(tx: Queryable, operationIds: readonly string[]): Promise<void> {
  await tx.rows(deleteDrafts, [operationIds])
}

const accept = statement(
  'writes_accept',
  `WITH drafts AS (SELECT operation_id FROM writes WHERE operation_id = ANY($1::uuid[]) AND state = 'draft'
     ORDER BY operation_id FOR UPDATE)
   UPDATE writes w SET state = 'accepted' FROM drafts WHERE w.operation_id = drafts.operation_id RETURNING ${write}`,
)

const makeVoid = statement(
  'writes_void',
  `WITH drafts AS (SELECT operation_id FROM writes WHERE operation_id = ANY($1::uuid[]) AND state = 'draft'
     ORDER BY operation_id FOR UPDATE)
   UPDATE writes w SET state = 'void', idempotency_key = NULL, request_hash = NULL, updated_at = $2, voided_at = $2
   FROM drafts WHERE w.operation_id = drafts.operation_id RETURNING ${write}`,
)

/** Marks drafts as accepted. Returns the writes that were drafts before. */
export async function recordAccepted(tx: Queryable, operationIds: readonly string[]): Promise<Write[]> {
  return operationIds.length === 0 ? [] : tx.rows<Write>(accept, [operationIds])
}

/**
 * Marks drafts as void: nothing was or will be accepted under these ids. Returns the writes that were drafts before.
 */
export async function recordVoid(tx: Queryable, operationIds: readonly string[], now: Date): Promise<Write[]> {
  return operationIds.length === 0 ? [] : tx.rows<Write>(makeVoid, [operationIds, now])
}

const releaseKey = statement(
  'writes_release_key',
  `UPDATE writes SET idempotency_key = NULL, request_hash = NULL WHERE operation_id = $1 AND state <> 'draft'`,
)

/** Removes the row's key after operations has pruned the key, so that a new write may use the key. */
export async function recordKeyReleased(db: Queryable, operationId: string): Promise<void> {
  await db.rows(releaseKey, [operationId])
}

/** News of an operation, from an event or from a background job's question to operations. */
export type News = {
  operation_id: string
  sequence: number
  /** Null while the operation continues. */
  outcome: 'succeeded' | 'failed' | 'cancelled' | null
  /** The time of the operation's move, RFC 3339. */
  at: string
  upstream_reference: string | null
  /** Facts about the resource that only the provider knows. */
  resource: Readonly<Record<string, string>> | null
}

const advance = statement(
  'writes_advance',
  // News without an outcome matter only if the row was not accepted yet.
  `WITH news AS (
     SELECT w.operation_id, w.state AS was, n.sequence, n.outcome, n.at, n.upstream_reference, n.resource
     FROM jsonb_to_recordset($1::jsonb) AS n(operation_id uuid, sequence int, outcome text, at timestamptz,
       upstream_reference text, resource jsonb)
     JOIN writes w ON w.operation_id = n.operation_id
     WHERE w.operation_sequence < n.sequence AND (n.outcome IS NOT NULL OR w.state <> 'accepted')
     ORDER BY w.operation_id FOR UPDATE OF w)
   UPDATE writes w SET state = 'accepted', outcome = news.outcome, operation_sequence = news.sequence,
     updated_at = greatest(w.updated_at, news.at), voided_at = NULL
   FROM news WHERE w.operation_id = news.operation_id AND w.operation_sequence < news.sequence
   RETURNING ${write}, news.was, coalesce(news.outcome, 'accepted') AS to, news.at, news.upstream_reference, news.resource`,
)

/** Applies at most one item per operation. Returns the resulting moves. */
export async function recordNews(tx: Queryable, news: readonly News[]): Promise<Move[]> {
  const rows = await tx.rows<Omit<Move, 'at'> & { at: Date }>(advance, [JSON.stringify(news)])
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

export const takeDue = statement(
  'writes_take_due',
  // The longer a row does not change, the later its next check: at most an hour later, and at least the given pause.
  `WITH due AS (
     SELECT operation_id FROM writes WHERE NOT settled AND next_check_at <= $1
       AND (state = 'draft' OR created_at <= $1::timestamptz - make_interval(secs => $2::float8 / 1000))
     ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE writes w SET next_check_at = $1::timestamptz
     + greatest(make_interval(secs => $2::float8 / 1000), least(interval '1 hour', ($1::timestamptz - w.updated_at) / 2))
   FROM due WHERE w.operation_id = due.operation_id RETURNING w.operation_id, w.state`,
)

/** Takes drafts and accepted writes whose check is due. Other background jobs skip each of them for a while. */
export function takeDueWrites(
  db: Queryable,
  now: Date,
  pauseMs: number,
  limit: number,
): Promise<{ operation_id: string; state: 'draft' | 'accepted' }[]> {
  return db.rows(takeDue, [now, pauseMs, limit])
}

/** Undecided drafts, for the metrics: reservations of an area that operations has neither accepted nor voided. */
export const draftsOutbox = outboxOf(
  'drafts',
  `SELECT created_at AS since FROM
     (SELECT state, created_at FROM writes WHERE NOT settled ORDER BY next_check_at LIMIT 10000) open WHERE state = 'draft'`,
)

export const pruneVoid = statement(
  'writes_prune_void',
  `DELETE FROM writes w WHERE operation_id IN
     (SELECT operation_id FROM writes WHERE voided_at < $1 ORDER BY voided_at LIMIT $2) RETURNING ${write}`,
)

/** Deletes writes that were voided before `before`, and returns them. */
export function removeVoid(tx: Queryable, before: Date, limit: number): Promise<Write[]> {
  return tx.rows<Write>(pruneVoid, [before, limit])
}

const park = statement('writes_park', 'INSERT INTO parked_events (parked_at, reason, event) VALUES ($1, $2, $3)')

/** Stores an event that can never be applied, for an operator to inspect. */
export async function recordParked(db: Queryable, now: Date, reason: string, event: unknown): Promise<void> {
  await db.rows(park, [now, reason, JSON.stringify(event) ?? 'nothing'])
}
