/**
 * The months of a schema whose tables are partitioned by the month of an id. The command `migrate` makes the first months,
 * and the running service those that come (`makeMonths`).
 *
 * Invariant: every insert finds a partition at every moment. Only the owner of the schema changes partitions; the service
 * calls `make_months()`, which can do nothing else.
 */

import { observeReading } from '@financial-agents/runtime/metrics/metrics'
import pg from 'pg'
import { type Queryable, statement } from './database.ts'

const make = statement('make_months', 'SELECT make_months() AS made')
const outside = statement('rows_outside_months', 'SELECT rows_outside_months() AS count')

/** Makes the partitions of this month and of the next two, if they are missing. Returns the number of new partitions. */
export async function makeMonths(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ made: number }>(make)
  return row?.made ?? 0
}

/** The work of the background job of a service whose tables have months. */
export async function keepMonths(db: Queryable): Promise<void> {
  await makeMonths(db)
}

/** Reports the rows outside all months at each collection of metrics. */
export function observeMonths(db: Queryable): void {
  observeReading({
    name: 'rows outside months',
    read: async () => [['financial_agents.db.rows_outside_months', await countRowsOutsideMonths(db), {}]],
  })
}

/** Counts the rows that no month has taken. More than 10,000 in a table are not counted. */
export async function countRowsOutsideMonths(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ count: number }>(outside)
  return row?.count ?? 0
}

/** Makes the first months of a schema, as its owner. Does nothing in a schema without monthly tables. */
export async function makeFirstMonths(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('month_tables') IS NOT NULL AS found`)
    if (rows[0]?.found) await client.query(make.text)
  } finally {
    await client.end()
  }
}
