/**
 * The horizon of the archive. An operation whose id was generated before it is never accepted and never submitted: the
 * records of such an id may be in the archive alone, so a missing row proves nothing (write protocol, rules 2 and 5).
 *
 * Invariant: a transaction that asked for the horizon ends before the horizon moves. The archive therefore sees the
 * rows that this transaction wrote, and every later transaction sees the new horizon.
 */

import type pg from 'pg'
import { type Queryable, statement } from '../database.ts'

/** Key of the advisory lock: "archive" in ASCII. */
const horizonLock = '27428844020004453'

/** The least age at which the records of an id can be archived. For a younger id, nothing is asked. */
const leastAgeMs = 31 * 24 * 3_600_000

const lock = statement('archive_lock', `SELECT pg_advisory_xact_lock_shared(${horizonLock})`)
const find = statement('archive_horizon', 'SELECT before FROM archive_horizon')

/** True if an id is so old that its records may have been archived. The horizon decides. */
export function mayBeArchived(id: string, now: Date): boolean {
  return timeOf(id) < now.getTime() - leastAgeMs
}

/** The time by which an id belongs to a month: its first 48 bits, whatever its version is. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/**
 * Returns those of the ids that were generated before the horizon. The horizon stays where it is until the transaction ends.
 * Asks nothing if no id is old enough.
 */
export async function findArchivedIds(tx: Queryable, ids: readonly string[], now: Date): Promise<Set<string>> {
  const old = ids.filter((id) => mayBeArchived(id, now))
  if (old.length === 0) return new Set()
  // The lock is a statement of its own, so that the next statement takes its snapshot after the lock is acquired.
  await tx.rows(lock)
  const [row] = await tx.rows<{ before: Date }>(find)
  return new Set(row ? old.filter((id) => timeOf(id) < row.before.getTime()) : [])
}

/**
 * Moves the horizon to `before`, unless it is there already. Waits until no transaction relies on the earlier horizon.
 */
export async function raiseHorizon(client: pg.Client, before: Date): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${horizonLock})`)
    await client.query(
      `INSERT INTO archive_horizon (before) VALUES ($1)
       ON CONFLICT (singleton) DO UPDATE SET before = GREATEST(archive_horizon.before, excluded.before)`,
      [before],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
