/**
 * What owner and client have reserved of a UTC day, in one currency. Every payment counts, also where the grant has no ceiling: one
 * that is set later counts what was spent before. No grant is in the key, so that a new grant does not begin the day anew.
 *
 * Invariant: days are locked in one order everywhere, after the rows of whatever reserves or releases in them.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

/** `day`: `2026-11-20`. */
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

/** Makes the days that are not there yet and locks all of them until the transaction ends. Each day is named once. */
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

/** What is reserved now, without a lock. */
export async function readReserved(db: Queryable, { owner_id, client_id, currency, day }: CeilingDay): Promise<string> {
  const [row] = await db.rows<{ reserved: string }>(readOne, [owner_id, client_id, currency, day])
  return row?.reserved ?? '0'
}
