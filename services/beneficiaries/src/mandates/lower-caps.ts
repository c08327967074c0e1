/**
 * Lowers the limits of a mandate in force for its owner. A payment that was accepted before goes on; every later one is
 * validated by the new limits.
 *
 * Invariants: the limits are validated and written under the lock under which payments are drafted, so no payment is
 * reserved in between. No limit is raised, and none falls below the amount that is reserved. A draft of a larger single
 * payment may still be accepted, so the limit of a payment is not lowered below it until the draft is decided.
 */

import { windowsAt } from '@financial-agents/contract/cap-windows'
import { type MandateCaps, validateLowerCaps } from '@financial-agents/contract/lower-caps'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import { mandateCaps } from '@financial-agents/contract/schemas/mandate'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { findCanonicalDecimal } from './decimal.ts'
import { notActive } from './decision.ts'
import { lockRows } from './lock.ts'
import { readMandates, toMandate } from './store.ts'

// Windows store the limits too, so that the table checks every reservation again. Past windows keep their limits, because
// only releases touch past windows.
const lower = statement(
  'mandates_lower_caps',
  `WITH windows AS (
     UPDATE mandate_windows w SET cap = p.cap
     FROM (VALUES ('day', $3::date, $7::numeric), ('week', $4::date, $8::numeric), ('month', $5::date, $9::numeric))
       AS p(period, starts_on, cap)
     WHERE w.mandate_id = $1 AND w.period = p.period AND w.starts_on = p.starts_on)
   UPDATE mandates SET per_payment_max = $6, daily_max = $7, weekly_max = $8, monthly_max = $9, total_cap = $10,
     updated_at = greatest(updated_at, $2)
   WHERE id = $1`,
)

/** The largest payment above the amount whose acceptance is not known yet. Few writes are unsettled at a time. */
export const largestUndecided = statement(
  'mandates_largest_undecided',
  `SELECT max(r.amount)::text AS amount FROM writes w JOIN mandate_reservations r ON r.operation_id = w.operation_id
   WHERE NOT w.settled AND w.state = 'draft' AND r.mandate_id = $1 AND r.amount > $2::numeric`,
)

/** @throws Problem mandate_not_found, mandate_not_active, validation_failed with the limits that cannot be set */
export async function recordLowerCaps(
  db: Database,
  { owner_id, mandate_id, caps: asked }: { owner_id: string; mandate_id: string; caps: MandateCaps },
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const caps = canonicalCaps(asked)
  return db.transaction(async (tx) => {
    await tx.rows(lockRows, [[mandate_id], []])
    // Read under the lock: the windows are those of payments that were reserved while this waited.
    const now = clock.now()
    const row = (await readMandates(tx, [mandate_id], now)).get(mandate_id)
    if (!row || row.owner_id !== owner_id || row.state === 'draft' || row.state === 'void')
      throw new Problem('mandate_not_found')
    const mandate = toMandate(row, now)
    if (mandate.state !== 'active') throw notActive(mandate.state)
    const refused = validateLowerCaps(mandate, caps)
    if (refused.length > 0) throw fieldsProblem(refused)
    await checkUndecided(tx, mandate_id, caps)
    const { day, week, month } = windowsAt(now)
    const { per_payment_max, daily_max, weekly_max, monthly_max, total_cap } = caps
    const given = [per_payment_max, daily_max, weekly_max, monthly_max, total_cap]
    await tx.rows(lower, [mandate_id, now, day, week, month, ...given])
  })
}

/** @throws Problem validation_failed if a larger payment was drafted before and may still be accepted */
async function checkUndecided(tx: Queryable, mandateId: string, { per_payment_max }: MandateCaps): Promise<void> {
  const [row] = await tx.rows<{ amount: string | null }>(largestUndecided, [mandateId, per_payment_max])
  if (row?.amount)
    throw fieldsProblem([{ path: 'per_payment_max', message: 'A larger payment is being accepted now.' }])
}

/** @throws Problem validation_failed */
function canonicalCaps(asked: MandateCaps): MandateCaps {
  const read = mandateCaps.map((path) => [path, findCanonicalDecimal(asked[path])] as const)
  const bad = read.filter(([, value]) => value === undefined)
  if (bad.length > 0) throw fieldsProblem(bad.map(([path]) => ({ path, message: 'Enter an amount.' })))
  return Object.fromEntries(read) as MandateCaps
}
