/**
 * For statements that merge the first rows of several ranges of an index. A plan from when a table was small would collect
 * each range whole and sort it, for as long as its connection lives: collecting is switched off for them.
 */

import { type Database, type Statement, statement } from './database.ts'

const noCollecting = statement('no_collecting', `SELECT set_config('enable_bitmapscan', 'off', true)`)

/** Rows of one statement, planned to take each range in the order of its index and to stop where the limit is. */
export function firstOfRanges<Row>(db: Database, query: Statement, values: readonly unknown[]): Promise<Row[]> {
  return db.transaction(async (tx) => {
    await tx.rows(noCollecting)
    return tx.rows<Row>(query, values)
  })
}
