/**
 * The reservations of owner and client for a UTC day, in one currency. Every payment counts, also without a limit on
 * the grant, so that a limit that is set later counts the earlier payments. The key has no grant, so a new grant does
 * not start the day again.
 *
 * Invariant: days are locked in the same order everywhere, after the rows of whatever reserves or releases in them.
 */

import type { OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { inFlight } from './in-flight.ts'

/** `day`: for example `2026-11-20`. */
export type CeilingDay = { owner_id: string; client_id: string; currency: string; day: string }

const dayRow = 'd(owner_id text, client_id text, currency text, day date)'
const order = (row: string) => `${row}.owner_id, ${row}.client_id, ${row}.currency, ${row}.day`

const open = statement(
  'open_ceiling_days',
  `INSERT INTO ceiling_days (owner_id, client_id, currency, day, reserved)
  SELECT owner_id, client_id, currency, day, 0 FROM jsonb_to_recordset($1::jsonb) AS ${dayRow} ORDER BY ${order('d')}
  ON CONFLICT DO NOTHING`,
)

const lock = statement(
  'lock_ceiling_days',
  `SELECT c.owner_id, c.client_id, c.currency, c.day::text AS day, c.reserved::text AS reserved
  FROM jsonb_to_recordset($1::jsonb) AS ${dayRow} JOIN ceiling_days c USING (owner_id, client_id, currency, day)
  ORDER BY ${order('c')} FOR UPDATE OF c`,
)

/** Creates the missing days and locks all of them until the transaction ends. Each day is named once. */
export async function lockCeilingDays(
  tx: Queryable,
  days: readonly CeilingDay[],
): Promise<(CeilingDay & { reserved: string })[]> {
  if (days.length === 0) return []
  const text = JSON.stringify(days)
  await tx.rows(open, [text])
  return tx.rows(lock, [text])
}

const readOne = statement(
  'read_ceiling_day',
  `SELECT reserved::text AS reserved FROM ceiling_days
  WHERE owner_id = $1 AND client_id = $2 AND currency = $3 AND day = $4::date`,
)

/** Reads the present reservation, without a lock. */
export async function readReserved(db: Queryable, { owner_id, client_id, currency, day }: CeilingDay): Promise<string> {
  const [row] = await db.rows<{ reserved: string }>(readOne, [owner_id, client_id, currency, day])
  return row?.reserved ?? '0'
}

// The operations in flight are read as a whole, and each payment by its key.
export const sums = statement(
  'sums_of_owner',
  `WITH flying AS MATERIALIZED (
    SELECT t.client_id, t.currency, t.amount FROM (${inFlight('o.id, o.owner_id')}) one
    CROSS JOIN LATERAL (SELECT client_id, currency, amount FROM transfers
      WHERE operation_id = one.id AND released_at IS NULL LIMIT 1) t
    WHERE one.owner_id = $1)
  SELECT client_id, currency, trim_scale(coalesce(sum(reserved) FILTER (WHERE day = $2::date), 0))::text AS today,
    trim_scale(coalesce(sum(reserved) FILTER (WHERE day >= date_trunc('month', $2::date)), 0))::text AS month,
    trim_scale(sum(reserved))::text AS total,
    trim_scale(coalesce((SELECT sum(amount) FROM flying
      WHERE flying.client_id = ceiling_days.client_id AND flying.currency = ceiling_days.currency), 0))::text AS under_way
  FROM ceiling_days WHERE owner_id = $1 AND day <= $2::date GROUP BY client_id, currency ORDER BY client_id, currency`,
)

/**
 * Sums the owner's days by client and currency: the day itself, its month, and all days up to it. `under_way` is the part of
 * them whose payments have no outcome yet.
 */
export function sumDays(db: Queryable, ownerId: string, day: string): Promise<OwnerSpending[]> {
  return db.rows(sums, [ownerId, day])
}
