/** The plan of a statement, for tests that it reaches its rows by an index. */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'

/** What PostgreSQL would do for these values, as its EXPLAIN words it; nothing runs. */
export async function explain(db: Queryable, { name, text }: Statement, values: readonly unknown[]): Promise<string> {
  const rows = await db.rows<{ 'QUERY PLAN': string }>(statement(`explain_${name}`, `EXPLAIN ${text}`), values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
