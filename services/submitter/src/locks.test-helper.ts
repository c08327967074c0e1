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
  const atOnce: Database['atOnce'] = async (calls) => {
    const results: unknown[][] = []
    for (const [query, values] of calls) results.push(await tx.rows(query, values))
    return results
  }
  return { ...database, ...tx, atOnce, transaction: (work) => work(tx) }
}

/** The same database, but its transactions stay open for a while after their last statement. */
export function slowToCommit(database: Database, pauseMs: number): Database {
  const slow: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        return result
      }),
    atOnce: (calls) => slow.transaction((tx) => within(database, tx).atOnce(calls)),
  }
  return slow
}
