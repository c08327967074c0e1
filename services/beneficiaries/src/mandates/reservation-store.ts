/**
 * Reservations, and their sums in each window and in total. The statement that inserts or releases reservations also
 * moves the sums, so that no decision ever adds reservations up. Runs under the lock of `lockMandates`.
 *
 * Invariant (write protocol, rule 12): a reservation is released once, in the windows in which it was made.
 */

import { windowsAt } from '@financial-agents/contract/cap-windows'
import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Reservation = { operation_id: string; mandate_id: string; amount: string }

export const reserve = statement(
  'mandates_reserve',
  `WITH given AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(operation_id uuid, mandate_id uuid, amount numeric)),
   reservations AS (
     INSERT INTO mandate_reservations (operation_id, mandate_id, amount, day, week, month, reserved_at)
     SELECT operation_id, mandate_id, amount, $2::date, $3::date, $4::date, $5 FROM given),
   sums AS MATERIALIZED (
     SELECT g.mandate_id, sum(g.amount) AS amount, count(*)::int AS payments FROM given g GROUP BY g.mandate_id),
   windows AS (
     INSERT INTO mandate_windows AS w (mandate_id, period, starts_on, cap, reserved)
     SELECT m.id, p.period, p.starts_on, p.cap, sums.amount
     FROM sums JOIN mandates m ON m.id = sums.mandate_id CROSS JOIN LATERAL (VALUES
       ('day', $2::date, m.daily_max), ('week', $3::date, m.weekly_max), ('month', $4::date, m.monthly_max))
       AS p(period, starts_on, cap)
     ON CONFLICT (mandate_id, period, starts_on) DO UPDATE SET reserved = trim_scale(w.reserved + excluded.reserved))
   UPDATE mandates m SET reserved_total = trim_scale(m.reserved_total + sums.amount),
     reserved_count = m.reserved_count + sums.payments
   FROM sums WHERE m.id = sums.mandate_id`,
)

export const release = statement(
  'mandates_release',
  `WITH released AS (
     UPDATE mandate_reservations r SET released_at = $2 FROM unnest($1::uuid[]) AS o(operation_id)
     WHERE r.operation_id = o.operation_id AND r.released_at IS NULL
     RETURNING r.mandate_id, r.amount, r.day, r.week, r.month),
   windows AS (
     UPDATE mandate_windows w SET reserved = trim_scale(w.reserved - s.amount)
     FROM (SELECT r.mandate_id, p.period, p.starts_on, sum(r.amount) AS amount FROM released r
       CROSS JOIN LATERAL (VALUES ('day', r.day), ('week', r.week), ('month', r.month)) AS p(period, starts_on)
       GROUP BY r.mandate_id, p.period, p.starts_on) s
     WHERE w.mandate_id = s.mandate_id AND w.period = s.period AND w.starts_on = s.starts_on)
   UPDATE mandates m SET reserved_total = trim_scale(m.reserved_total - s.amount),
     reserved_count = m.reserved_count - s.payments
   FROM (SELECT r.mandate_id, sum(r.amount) AS amount, count(*)::int AS payments FROM released r GROUP BY r.mandate_id) s
   WHERE m.id = s.mandate_id`,
)

const reserveLost = statement(
  'mandates_reserve_lost',
  `WITH given AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($1::jsonb)
       AS l(operation_id uuid, mandate_id uuid, amount numeric, day date, week date, month date)),
   noted AS (
     INSERT INTO mandate_lost_payments (operation_id, mandate_id)
     SELECT g.operation_id, m.id FROM given g JOIN mandates m ON m.id = g.mandate_id
     ON CONFLICT DO NOTHING RETURNING operation_id),
   lost AS MATERIALIZED (SELECT given.* FROM given JOIN noted USING (operation_id)),
   windows AS (
     INSERT INTO mandate_windows AS w (mandate_id, period, starts_on, cap, reserved, lost)
     SELECT m.id, p.period, p.starts_on, p.cap, sum(lost.amount), sum(lost.amount)
     FROM lost JOIN mandates m ON m.id = lost.mandate_id CROSS JOIN LATERAL (VALUES
       ('day', lost.day, m.daily_max), ('week', lost.week, m.weekly_max), ('month', lost.month, m.monthly_max))
       AS p(period, starts_on, cap)
     GROUP BY m.id, p.period, p.starts_on, p.cap
     ON CONFLICT (mandate_id, period, starts_on) DO UPDATE SET
       reserved = trim_scale(w.reserved + excluded.reserved), lost = trim_scale(w.lost + excluded.lost))
   UPDATE mandates m SET reserved_total = trim_scale(m.reserved_total + s.amount), reserved_count = m.reserved_count + s.payments,
     lost_total = trim_scale(m.lost_total + s.amount), lost_count = m.lost_count + s.payments
   FROM (SELECT mandate_id, sum(amount) AS amount, count(*)::int AS payments FROM lost GROUP BY mandate_id) s
   WHERE m.id = s.mandate_id`,
)

const remove = statement(
  'mandate_reservations_remove',
  'DELETE FROM mandate_reservations WHERE operation_id = ANY ($1::uuid[])',
)

/** Records reservations in the windows of `now`. */
export async function recordReservations(tx: Queryable, given: readonly Reservation[], now: Date): Promise<void> {
  if (given.length === 0) return
  const { day, week, month } = windowsAt(now)
  await tx.rows(reserve, [JSON.stringify(given), day, week, month, now])
}

/**
 * Counts payments that the database has lost, each once. They may exceed the caps: what was released in the lost time is reserved
 * again. A draft of the lost payment that is left keeps its own reservation: the caps may count too much, never too little.
 */
export async function recordLost(tx: Queryable, lost: readonly (Reservation & { day: string })[]): Promise<void> {
  const given = lost.map((payment) => ({ ...payment, ...windowsAt(new Date(payment.day)) }))
  await tx.rows(reserveLost, [JSON.stringify(given)])
}

/** Releases reservations. Released ones do not change again. */
export async function recordReleased(tx: Queryable, operationIds: readonly string[], at: string): Promise<void> {
  await tx.rows(release, [operationIds, at])
}

/** Deletes the reservations of voided writes, one day after they were voided. */
export async function removeReservations(tx: Queryable, operationIds: readonly string[]): Promise<void> {
  await tx.rows(remove, [operationIds])
}
