/**
 * What operations says of a beneficiary's operation, by event or by the sweep's question, and what the sweep looks for.
 *
 * Invariant: a row moves only to a higher sequence of its own operation, so events may come twice, late and in any
 * order; news of an operation show that it was accepted, whatever the row believed.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Progress = {
  operation_id: string
  sequence: number
  state: 'pending' | 'active' | 'failed'
  /** When the operation moved, RFC 3339. */
  at: string
}

const advance = statement(
  'beneficiaries_advance',
  `WITH news AS (
     SELECT b.id, b.state AS was, p.sequence, p.state, p.at
     FROM jsonb_to_recordset($1::jsonb) AS p(operation_id uuid, sequence int, state text, at timestamptz)
     JOIN beneficiaries b ON b.operation_id = p.operation_id
     WHERE b.operation_sequence < p.sequence AND (p.state <> 'pending' OR b.state IN ('draft', 'void'))
     ORDER BY b.id FOR UPDATE OF b)
   UPDATE beneficiaries b SET state = news.state, operation_sequence = news.sequence,
     updated_at = greatest(b.updated_at, news.at), voided_at = NULL
   FROM news WHERE b.id = news.id AND b.operation_sequence < news.sequence
   RETURNING b.operation_id, news.was`,
)

/** At most one item for each operation. Answers the operations whose rows had been void: there must be none, ever. */
export async function recordProgress(db: Queryable, items: readonly Progress[]): Promise<string[]> {
  const rows = await db.rows<{ operation_id: string; was: string }>(advance, [JSON.stringify(items)])
  return rows.filter((row) => row.was === 'void').map((row) => row.operation_id)
}

/** The furthest of each operation. */
export function furthest(items: readonly Progress[]): Progress[] {
  const byOperation = new Map<string, Progress>()
  for (const item of items) {
    const known = byOperation.get(item.operation_id)
    if (!known || known.sequence < item.sequence) byOperation.set(item.operation_id, item)
  }
  return [...byOperation.values()]
}

export const takeDue = statement(
  'beneficiaries_take_due',
  // The next look is further away the longer a row stands still: at most an hour, and never less than the pause given.
  `WITH due AS (
     SELECT id FROM beneficiaries WHERE NOT settled AND next_check_at <= $1
       AND (state = 'draft' OR created_at <= $1::timestamptz - make_interval(secs => $2::float8 / 1000))
     ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE beneficiaries b SET next_check_at = $1::timestamptz
     + greatest(make_interval(secs => $2::float8 / 1000), least(interval '1 hour', ($1::timestamptz - b.updated_at) / 2))
   FROM due WHERE b.id = due.id RETURNING b.operation_id, b.state`,
)

/** Undecided drafts and pending rows whose time to be looked at has come; each is out of other sweeps' way for a while. */
export function takeDueOperations(
  db: Queryable,
  now: Date,
  pauseMs: number,
  limit: number,
): Promise<{ operation_id: string; state: 'draft' | 'pending' }[]> {
  return db.rows(takeDue, [now, pauseMs, limit])
}

export const pruneVoid = statement(
  'beneficiaries_prune_void',
  `DELETE FROM beneficiaries WHERE id IN
     (SELECT id FROM beneficiaries WHERE voided_at < $1 ORDER BY voided_at LIMIT $2) RETURNING id`,
)

/** Void rows hold a name that nobody may see: they go. Answers how many went. */
export async function removeVoid(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.rows(pruneVoid, [before, limit])).length
}

const park = statement('beneficiaries_park', 'INSERT INTO parked_events (parked_at, reason, event) VALUES ($1, $2, $3)')

/** An event that is bad for good, set aside for an operator. */
export async function recordParked(db: Queryable, now: Date, reason: string, event: unknown): Promise<void> {
  await db.rows(park, [now, reason, JSON.stringify(event) ?? 'nothing'])
}
