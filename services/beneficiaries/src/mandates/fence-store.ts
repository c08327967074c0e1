/**
 * The fences that the submitter must hold for mandates, kept until it has confirmed them (write protocol, rules 3 and
 * 8). No fence of a mandate is ever lifted.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Fence = { mandate_id: string; reason: string }

const want = statement(
  'mandate_fences_want',
  `INSERT INTO mandate_fences (mandate_id, reason)
   SELECT mandate_id, $2 FROM unnest($1::uuid[]) AS wanted (mandate_id) ORDER BY mandate_id ON CONFLICT DO NOTHING`,
)

export const leaseDue = statement(
  'mandate_fences_lease',
  `UPDATE mandate_fences SET leased_until = $2
   WHERE mandate_id IN (
     SELECT mandate_id FROM mandate_fences
     WHERE NOT confirmed AND (leased_until IS NULL OR leased_until <= $1)
     ORDER BY mandate_id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING mandate_id, reason`,
)

/** The fences that the submitter has not confirmed yet, for the metrics. */
export const unconfirmed = statement(
  'mandate_fences_unconfirmed',
  'SELECT mandate_id FROM mandate_fences WHERE NOT confirmed ORDER BY mandate_id LIMIT 1000',
)

export async function listUnconfirmed(db: Queryable): Promise<string[]> {
  return (await db.rows<{ mandate_id: string }>(unconfirmed)).map((row) => row.mandate_id)
}

const confirm = statement(
  'mandate_fences_confirm',
  'UPDATE mandate_fences SET confirmed = true, leased_until = NULL WHERE mandate_id = $1',
)

const release = statement(
  'mandate_fences_release',
  'UPDATE mandate_fences SET leased_until = NULL WHERE mandate_id = $1',
)

/** Runs in the transaction that moves the mandates. A fence that is known already stays as it is. */
export async function recordFencesWanted(tx: Queryable, mandateIds: readonly string[], reason: string): Promise<void> {
  if (mandateIds.length > 0) await tx.rows(want, [mandateIds, reason])
}

/** Takes unconfirmed fences for sending, at most `limit`. Other replicas skip them until `leasedUntil`. */
export function leaseFences(db: Queryable, now: Date, leasedUntil: Date, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(leaseDue, [now, leasedUntil, limit])
}

export async function recordFenceConfirmed(db: Queryable, mandateId: string): Promise<void> {
  await db.rows(confirm, [mandateId])
}

/** Releases the lease, so that the fence may be sent again at once. */
export async function recordFenceUnanswered(db: Queryable, mandateId: string): Promise<void> {
  await db.rows(release, [mandateId])
}
