/**
 * Payments that may become events of owners. A payment is noted when its transition arrives. The transaction that
 * records its events removes the note.
 */

import { paymentKinds } from '@financial-agents/contract/kinds'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Moved } from '../event-types.ts'

/** `payment`: the provider may have been asked. `uncertain`: the result is not known. */
export type About = 'payment' | 'uncertain'

/** `at`: the time of the move. */
export type Candidate = { operation_id: string; about: About; at: Date }

const leaseMs = 30_000
const kinds: ReadonlySet<string> = new Set(paymentKinds)

export const noteCandidates = statement(
  'owner_candidates_note',
  `INSERT INTO owner_candidates (operation_id, about, next_check_at, at)
   SELECT item.operation_id, item.about, $4, item.at
   FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS item (operation_id, about, at)
   ON CONFLICT DO NOTHING`,
)

/** Notes the payments among these moves. Returns their number. */
export async function recordCandidates(db: Queryable, moves: readonly Moved[], now: Date): Promise<number> {
  const found = new Map<string, Candidate>()
  for (const { operation_id, kind, state, at } of moves) {
    // An operation that waits for its owner's approval pays nothing yet.
    if (!kinds.has(kind) || state === 'requires_action') continue
    for (const about of state === 'indeterminate' ? (['payment', 'uncertain'] as const) : (['payment'] as const)) {
      const key = `${operation_id} ${about}`
      if (!found.has(key)) found.set(key, { operation_id, about, at: new Date(at) })
    }
  }
  if (found.size === 0) return 0
  // Sorted, so that two processes with the same transitions never deadlock.
  const noted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, candidate]) => candidate)
  await db.rows(noteCandidates, [
    noted.map(({ operation_id }) => operation_id),
    noted.map(({ about }) => about),
    noted.map(({ at }) => at),
    now,
  ])
  return noted.length
}

export const takeCandidates = statement(
  'owner_candidates_take',
  `WITH due AS (
     SELECT operation_id, about FROM owner_candidates WHERE next_check_at <= $1
     ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE owner_candidates c SET next_check_at = $2 FROM due
   WHERE c.operation_id = due.operation_id AND c.about = due.about
   RETURNING c.operation_id, c.about, c.at`,
)

/** Takes due candidates. Another process takes them again if they are not removed in time. */
export function leaseCandidates(db: Queryable, now: Date, limit: number): Promise<Candidate[]> {
  return db.rows<Candidate>(takeCandidates, [now, new Date(now.getTime() + leaseMs), limit])
}

export const dropCandidates = statement(
  'owner_candidates_drop',
  `DELETE FROM owner_candidates c USING unnest($1::uuid[], $2::text[]) AS item (operation_id, about)
   WHERE c.operation_id = item.operation_id AND c.about = item.about`,
)

export async function removeCandidates(tx: Queryable, candidates: readonly Candidate[]): Promise<void> {
  await tx.rows(dropCandidates, [
    candidates.map(({ operation_id }) => operation_id),
    candidates.map(({ about }) => about),
  ])
}
