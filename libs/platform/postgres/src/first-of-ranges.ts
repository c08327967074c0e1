/**
 * Runs statements that merge the first rows of several ranges of an index. A plan from the time when a table was small
 * would collect and sort whole ranges, as long as its connection lives. Bitmap scans are therefore switched off for
 * these statements.
 */

import { type Database, type Statement, statement } from './database.ts'

const noCollecting = statement('no_collecting', `SELECT set_config('enable_bitmapscan', 'off', true)`)

/** Runs one statement. Its plan reads each range in the order of the index, and stops at the limit. */
export function firstOfRanges<Row>(db: Database, query: Statement, values: readonly unknown[]): Promise<Row[]> {
  return db.transaction(async (tx) => {
    await tx.rows(noCollecting)
    return tx.rows<Row>(query, values)
  })
}
