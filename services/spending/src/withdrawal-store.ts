/**
 * The statements on withdrawals and on what a grant has spent of a day.
 *
 * Invariant: both are locked in one order everywhere, withdrawals before days, so that no two batches wait for each other.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { WithdrawalState } from './withdrawal-machine.ts'

/** A day of a grant, in one currency. `day` is a UTC calendar day, `2026-11-20`. */
export type GrantDay = { grant_id: string; day: string; currency: string }

export type NewWithdrawal = GrantDay & {
  id: string
  operation_id: string
  owner_id: string
  client_id: string
  beneficiary_id: string
  /** Canonical decimal. */
  amount: string
}

const dayRow = 'd(grant_id text, day date, currency text)'

const openDays = statement(
  'grant_days_open',
  `INSERT INTO grant_days (grant_id, day, currency, reserved)
   SELECT grant_id, day, currency, 0 FROM jsonb_to_recordset($1::jsonb) AS ${dayRow} ORDER BY grant_id, day, currency
   ON CONFLICT DO NOTHING`,
)

export const lockDays = statement(
  'grant_days_lock',
  `SELECT g.grant_id, g.day::text AS day, g.currency, g.reserved::text AS reserved
   FROM jsonb_to_recordset($1::jsonb) AS ${dayRow} JOIN grant_days g USING (grant_id, day, currency)
   ORDER BY g.grant_id, g.day, g.currency FOR UPDATE OF g`,
)

/** Makes the days that are not there yet and locks all of them until the end of the transaction. */
export async function lockGrantDays(
  tx: Queryable,
  days: readonly GrantDay[],
): Promise<(GrantDay & { reserved: string })[]> {
  const json = JSON.stringify(days)
  await tx.rows(openDays, [json])
  return tx.rows(lockDays, [json])
}

export const addToDays = statement(
  'grant_days_add',
  // In two steps: the update locks in whatever order it finds the rows.
  `WITH changes AS (
     SELECT g.grant_id, g.day, g.currency, d.amount
     FROM jsonb_to_recordset($1::jsonb) AS d(grant_id text, day date, currency text, amount numeric)
     JOIN grant_days g USING (grant_id, day, currency) ORDER BY g.grant_id, g.day, g.currency FOR UPDATE OF g)
   UPDATE grant_days g SET reserved = g.reserved + changes.amount FROM changes
   WHERE g.grant_id = changes.grant_id AND g.day = changes.day AND g.currency = changes.currency`,
)

/** Adds to what is reserved, or takes from it; at most one item for each day. */
export async function recordReserved(tx: Queryable, items: readonly (GrantDay & { amount: string })[]): Promise<void> {
  if (items.length > 0) await tx.rows(addToDays, [JSON.stringify(items)])
}

export const oneDay = statement(
  'grant_days_one',
  'SELECT reserved::text AS reserved FROM grant_days WHERE grant_id = $1 AND day = $2::date AND currency = $3',
)

/** What is reserved now, without a lock: good for refusing, not for reserving. */
export async function readReserved(db: Queryable, { grant_id, day, currency }: GrantDay): Promise<string> {
  const [row] = await db.rows<{ reserved: string }>(oneDay, [grant_id, day, currency])
  return row?.reserved ?? '0'
}

const insert = statement(
  'withdrawals_insert',
  `INSERT INTO withdrawals (id, operation_id, owner_id, client_id, grant_id, beneficiary_id, amount, currency, day, state,
     created_at, updated_at)
   SELECT id, operation_id, owner_id, client_id, grant_id, beneficiary_id, amount, currency, day, 'draft', $2, $2
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid, owner_id text, client_id text, grant_id text,
     beneficiary_id uuid, amount numeric, currency text, day date)`,
)

export async function recordWithdrawals(tx: Queryable, rows: readonly NewWithdrawal[], now: Date): Promise<void> {
  if (rows.length > 0) await tx.rows(insert, [JSON.stringify(rows), now])
}

export const oneWithdrawal = statement(
  'withdrawals_one',
  'SELECT grant_id, day::text AS day, currency FROM withdrawals WHERE id = $1',
)

/** Where a withdrawal is reserved. */
export async function findGrantDayOf(db: Queryable, id: string): Promise<GrantDay | undefined> {
  const [row] = await db.rows<GrantDay>(oneWithdrawal, [id])
  return row
}

export type LockedWithdrawal = GrantDay & { id: string; amount: string; state: WithdrawalState }

export const lock = statement(
  'withdrawals_lock',
  `SELECT id, grant_id, day::text AS day, currency, amount::text AS amount, state FROM withdrawals
   WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
)

export function lockWithdrawals(tx: Queryable, ids: readonly string[]): Promise<LockedWithdrawal[]> {
  return tx.rows(lock, [ids])
}

export const move = statement(
  'withdrawals_move',
  `UPDATE withdrawals w SET state = m.state, updated_at = greatest(w.updated_at, m.at)
   FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, state text, at timestamptz) WHERE w.id = m.id`,
)

/** Of withdrawals that are locked. */
export async function recordStates(
  tx: Queryable,
  rows: readonly { id: string; state: WithdrawalState; at: string }[],
): Promise<void> {
  if (rows.length > 0) await tx.rows(move, [JSON.stringify(rows)])
}

export const remove = statement('withdrawals_remove', 'DELETE FROM withdrawals WHERE id = ANY($1::uuid[])')

export async function removeWithdrawals(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.rows(remove, [ids])
}
