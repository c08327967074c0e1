/** Explains statements, for tests that a statement finds its rows by an index. */

import { expect } from 'vitest'
import { type Queryable, type Statement, statement } from '../database.ts'

/** EXPLAIN does not execute the statement. */
export async function explain(db: Queryable, { name, text }: Statement, values: readonly unknown[]): Promise<string> {
  const rows = await db.rows<{ 'QUERY PLAN': string }>(statement(`explain_${name}`, `EXPLAIN ${text}`), values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/**
 * Fails if the plan of a statement does not use this index or reads a whole table, or if the statement cannot run.
 * @param whole the tables that may be read as a whole, because they are small
 */
export async function expectWithinIndex(
  db: Queryable,
  figures: Statement,
  values: readonly unknown[],
  index: string,
  { whole = [] }: { whole?: readonly string[] } = {},
): Promise<void> {
  const plan = await explain(db, figures, values)
  expect(plan).toContain(index)
  const read = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table)
  expect(read.filter((table) => !whole.includes(table ?? ''))).toEqual([])
  await db.rows(figures, values)
}
