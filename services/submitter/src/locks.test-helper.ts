/** Makes a statement wait for a lock: one transaction holds a row, another statement waits for it. */

import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { expect } from 'vitest'

const waits = statement(
  'test_waits',
  "SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'",
)

/** Runs `change` in a transaction, starts `waiting`, and commits once PostgreSQL shows that `waiting` waits. */
export async function whileLocked<Result>(
  database: Database,
  change: (tx: Queryable) => Promise<unknown>,
  waiting: () => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined
  await database.transaction(async (tx) => {
    await change(tx)
    result = waiting()
    await expect.poll(() => database.rows(waits)).toHaveLength(1)
  })
  return result as Promise<Result>
}

/** The same database, but its transactions run inside `tx`. */
export function within(database: Database, tx: Queryable): Database {
  return { ...database, ...tx, transaction: (work) => work(tx) }
}
