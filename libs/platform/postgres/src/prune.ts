/**
 * Deletes expired rows in batches, so that no statement locks many rows for long. Several replicas may prune at the
 * same time: each skips rows that another has locked.
 */

import { type Queryable, statement } from './database.ts'

/** Deletes at most `limit` rows that are older than `before`, the oldest first. Returns the number of deleted rows. */
export type Prune = (db: Queryable, before: Date, limit: number) => Promise<number>

/**
 * @param column the time from which a row's age counts; it needs an index
 * @param condition SQL that the rows must meet beside their age: the condition of a partial index
 */
export function pruneByAge(table: string, column: string, condition = 'true'): Prune {
  const rows = statement(
    `prune_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE ${column} < $1 AND ${condition} ORDER BY ${column} LIMIT $2
         FOR UPDATE SKIP LOCKED))
       RETURNING 1)
     SELECT count(*) AS count FROM gone`,
  )
  return async (db, before, limit) => {
    const [row] = await db.rows<{ count: number }>(rows, [before, limit])
    return row?.count ?? 0
  }
}
