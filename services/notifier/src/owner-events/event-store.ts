/**
 * Events of owners with their deliveries. There is one endpoint, so an event is its own delivery.
 *
 * Invariant: a key has one event, and every attempt sends the id and the bytes that were recorded with it.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type OwnerEvent, ownerEvent } from '@financial-agents/contract/schemas/owner-event'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Result } from '../claim-store.ts'

/** The key names the fact that the event reports. */
export type KeyedEvent = { key: string; event: OwnerEvent }

export const insertEvents = statement(
  'owner_events_insert',
  `INSERT INTO owner_events (id, key, type, body, status, attempts, next_attempt_at, created_at)
   SELECT item.*, 'pending', 0, $5::timestamptz, $5::timestamptz
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS item (id, key, type, body)
   ON CONFLICT (key) DO NOTHING RETURNING id`,
)

/** Records the events whose keys are new. Returns their number. */
export async function recordEvents(tx: Queryable, events: readonly KeyedEvent[], now: Date): Promise<number> {
  if (events.length === 0) return 0
  // Sorted, so that two processes with the same facts never deadlock.
  const sorted = events.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rows = await tx.rows(insertEvents, [
    sorted.map(() => randomUUIDv7()),
    sorted.map(({ key }) => key),
    sorted.map(({ event }) => event.type),
    sorted.map(({ event }) => JSON.stringify(ownerEvent.parse(event))),
    now,
  ])
  return rows.length
}

export type LeasedEvent = { id: string; body: string; attempts: number; created_at: Date }

export const claimEvents = statement(
  'owner_events_claim',
  `WITH due AS (
     SELECT id FROM owner_events WHERE status = 'pending' AND next_attempt_at <= $1
     ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED)
   UPDATE owner_events e SET next_attempt_at = $2, lease_id = $3 FROM due WHERE e.id = due.id
   RETURNING e.id, e.body, e.attempts, e.created_at`,
)

/** Takes due events until the end of the lease. */
export function leaseEvents(
  db: Queryable,
  now: Date,
  lease: { id: string; until: Date },
  limit: number,
): Promise<LeasedEvent[]> {
  return db.rows<LeasedEvent>(claimEvents, [now, lease.until, lease.id, limit])
}

export const settleEvent = statement(
  'owner_events_settle',
  `UPDATE owner_events SET status = $3, next_attempt_at = $4, lease_id = NULL, attempts = attempts + 1,
     last_status_code = $5
   WHERE id = $2 AND lease_id = $1`,
)

/** Records an attempt. An event whose lease another process took over does not change. */
export async function recordAttempt(db: Queryable, leaseId: string, result: Result): Promise<void> {
  const { id, status, nextAttemptAt, attempt } = result
  await db.rows(settleEvent, [leaseId, id, status, nextAttemptAt, attempt?.statusCode ?? null])
}

export const forgetBodies = statement(
  'owner_events_forget',
  `WITH gone AS (
     UPDATE owner_events SET body = NULL WHERE id = ANY (ARRAY (
       SELECT id FROM owner_events WHERE body IS NOT NULL AND status <> 'pending' AND created_at < $1
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING 1)
   SELECT count(*) AS count FROM gone`,
)

/** Erases the bodies of events that are over and older than `before`. Returns the number of erased ones. */
export async function eraseBodies(db: Queryable, before: Date, limit: number): Promise<number> {
  const [row] = await db.rows<{ count: number }>(forgetBodies, [before, limit])
  return row?.count ?? 0
}
