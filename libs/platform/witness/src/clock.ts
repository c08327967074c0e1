/**
 * Compares a service's clock with that of its database. A recovery point from a wrong clock would either send what may have been sent, or
 * make new operations uncertain for as long as the clock is ahead.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

/** Clocks may differ by this much. The ids of operations have the time of the process that generated them. */
export const clockDifferenceMs = 5_000

const read = statement('witness_clock', 'SELECT clock_timestamp() AS now')

/** In words, by how much the clocks differ too much; undefined if they agree. */
export async function findClockDifference(db: Queryable, now: () => Date): Promise<string | undefined> {
  const before = now()
  const [row] = await db.rows<{ now: Date }>(read)
  const own = now()
  const there = row?.now ?? own
  const early = before.getTime() - clockDifferenceMs <= there.getTime()
  const late = own.getTime() + clockDifferenceMs >= there.getTime()
  return early && late
    ? undefined
    : `its clock is at ${own.toISOString()}, and that of its PostgreSQL at ${there.toISOString()}`
}
