/** The plan of a statement, for tests that it reaches its rows by an index. */

import { expect } from 'vitest'
import { type Queryable, type Statement, statement } from '../database.ts'

/** What PostgreSQL would do for these values, as its EXPLAIN words it; nothing runs. */
export async function explain(db: Queryable, { name, text }: Statement, values: readonly unknown[]): Promise<string> {
  const rows = await db.rows<{ 'QUERY PLAN': string }>(statement(`explain_${name}`, `EXPLAIN ${text}`), values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/** Fails where the plan of a statement is not by this index or reads a whole table, or where the statement does not run. */
export async function expectWithinIndex(
  db: Queryable,
  figures: Statement,
  values: readonly unknown[],
  index: string,
): Promise<void> {
  const plan = await explain(db, figures, values)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
  await db.rows(figures, values)
}
