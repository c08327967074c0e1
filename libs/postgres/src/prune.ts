/**
 * Rows that are past their time go a batch at a time, so that no statement of a sweep holds many rows for long. Several
 * replicas prune beside each other: each takes rows that no other holds.
 */

import { type Queryable, statement } from './database.ts'

/** Deletes at most `limit` rows that are older than `before`, the oldest first; answers how many. */
export type Prune = (db: Queryable, before: Date, limit: number) => Promise<number>

/**
 * How `table` is pruned.
 *
 * @param column the time from which a row counts its age; it needs an index
 * @param condition SQL that the rows meet beside their age: that of a partial index
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
