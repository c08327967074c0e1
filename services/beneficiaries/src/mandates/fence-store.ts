/**
 * The fences that the submitter must hold for mandates, kept until it has confirmed the newest version (write protocol,
 * rules 3 and 8). Each change increments the version in the mandate's row, so that no late request undoes a newer one.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Fence = { mandate_id: string; fenced: boolean; reason: string; version: number }

const want = statement(
  'mandate_fences_want',
  `INSERT INTO mandate_fences AS f (mandate_id, fenced, reason, version)
   SELECT mandate_id, fenced, $2, 1 FROM jsonb_to_recordset($1::jsonb) AS w(mandate_id uuid, fenced boolean) ORDER BY mandate_id
   ON CONFLICT (mandate_id) DO UPDATE SET fenced = excluded.fenced, reason = excluded.reason, version = f.version + 1
   WHERE f.fenced <> excluded.fenced`,
)

export const leaseDue = statement(
  'mandate_fences_lease',
  `UPDATE mandate_fences SET leased_until = $2
   WHERE mandate_id IN (
     SELECT mandate_id FROM mandate_fences
     WHERE confirmed_version < version AND (leased_until IS NULL OR leased_until <= $1)
     ORDER BY mandate_id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING mandate_id, fenced, reason, version`,
)

/** The fences that the submitter has not confirmed yet, for the metrics. */
export const unconfirmed = statement(
  'mandate_fences_unconfirmed',
  `SELECT mandate_id || ':' || version AS key FROM mandate_fences
   WHERE confirmed_version < version ORDER BY mandate_id LIMIT 1000`,
)

export async function listUnconfirmed(db: Queryable): Promise<string[]> {
  return (await db.rows<{ key: string }>(unconfirmed)).map((row) => row.key)
}

const confirm = statement(
  'mandate_fences_confirm',
  `UPDATE mandate_fences SET confirmed_version = greatest(confirmed_version, $2), leased_until = NULL WHERE mandate_id = $1`,
)

const release = statement(
  'mandate_fences_release',
  'UPDATE mandate_fences SET leased_until = NULL WHERE mandate_id = $1',
)

/** Runs in the transaction that moves the mandates. Does nothing if the fence is already as wanted. */
export async function recordFencesWanted(
  tx: Queryable,
  fences: readonly Pick<Fence, 'mandate_id' | 'fenced'>[],
  reason: string,
): Promise<void> {
  if (fences.length > 0) await tx.rows(want, [JSON.stringify(fences), reason])
}

/** Takes unconfirmed fences for sending, at most `limit`. Other replicas skip them until `leasedUntil`. */
export function leaseFences(db: Queryable, now: Date, leasedUntil: Date, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(leaseDue, [now, leasedUntil, limit])
}

export async function recordFenceConfirmed(db: Queryable, { mandate_id, version }: Fence): Promise<void> {
  await db.rows(confirm, [mandate_id, version])
}

/** Releases the lease, so that the fence may be sent again at once. */
export async function recordFenceUnanswered(db: Queryable, { mandate_id }: Fence): Promise<void> {
  await db.rows(release, [mandate_id])
}
