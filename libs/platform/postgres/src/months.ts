/**
 * The months of a schema whose tables are partitioned by the month of an id (migration `months` of the service). The
 * command `migrate` begins them: it gives the table that held all rows its end, and makes the first months. The running
 * service makes the months that come (`makeMonths`).
 *
 * Invariant: every insert finds a partition at every moment. Only the owner of the schema changes partitions; the service
 * calls `make_months()`, which can do nothing else.
 */

import { observeReading } from '@financial-agents/runtime/metrics/metrics'
import pg from 'pg'
import { type Queryable, statement } from './database.ts'
import { inTransaction } from './in-transaction.ts'

const make = statement('make_months', 'SELECT make_months() AS made')
const outside = statement('rows_outside_months', 'SELECT rows_outside_months() AS count')

/** Makes the partitions of this month and of the next two, if they are missing. Returns the number of new partitions. */
export async function makeMonths(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ made: number }>(make)
  return row?.made ?? 0
}

/** The work of the sweep of a service whose tables have months. */
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

type MonthTable = { name: string; key: string; planned: Date | null }

const lockPatience = '10s'
/** query_canceled */
const timedOut = '57014'

/**
 * Begins the months of a schema, and makes the next ones. Does nothing in a schema without monthly tables. Idempotent:
 * after a crash, the next call goes on.
 *
 * The rows so far are compared with the end of their partition while the services go on: that takes as long as reading
 * the tables. Only then the partitions change, in one short transaction. Ids from the end on are refused meanwhile; the
 * end is more than a month ahead.
 *
 * @param compareTimeoutMs the limit for the comparison of one table; none by default
 * @returns false if the comparison took longer: the table that holds all rows stays the default partition
 */
export async function beginMonths(connectionString: string, schema: string, compareTimeoutMs = 0): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    options: `-c search_path=${schema} -c timezone=UTC -c lock_timeout=${lockPatience}`,
  })
  await client.connect()
  try {
    const known = await client.query<{ found: boolean }>(`SELECT to_regclass('month_tables') IS NOT NULL AS found`)
    if (!known.rows[0]?.found) return true
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [`months of ${schema}`])
    const { rows: tables } = await client.query<MonthTable>(
      'SELECT name, key, planned FROM month_tables WHERE began IS NULL ORDER BY name',
    )
    if (tables.length > 0) await begin(client, tables, compareTimeoutMs)
    await client.query(make.text)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === timedOut) return false
    throw error
  } finally {
    await client.end()
  }
}

async function begin(client: pg.Client, tables: readonly MonthTable[], compareTimeoutMs: number): Promise<void> {
  const until = await findEnd(client, tables)
  try {
    for (const table of tables)
      if (!(await holdsLater(client, table, until)))
        await compare(client, table, { until, timeoutMs: compareTimeoutMs })
    await inTransaction(client, async () => {
      for (const table of tables) await divide(client, table, until)
    })
  } finally {
    // Does nothing once the months have begun. A constraint that stayed would one day refuse inserts.
    await inTransaction(client, async () => {
      for (const { name } of tables)
        await client.query(`ALTER TABLE ${before(name)} DROP CONSTRAINT IF EXISTS before_months`)
      await client.query('UPDATE month_tables SET planned = NULL')
    })
  }
}

/** The end of the partition before the months: the month after the next, or this month if there are no rows yet. */
async function findEnd(client: pg.Client, tables: readonly MonthTable[]): Promise<Date> {
  const rows = tables.map(({ name }) => `EXISTS (SELECT FROM ${before(name)})`).join(' OR ')
  const { rows: found } = await client.query<{ until: Date }>(
    `SELECT date_trunc('month', now()) + CASE WHEN ${rows} THEN interval '2 months' ELSE interval '0' END AS until`,
  )
  return (found[0] as { until: Date }).until
}

/** True if the table holds ids that were minted after `until`, by a wrong clock or not as version 7. */
async function holdsLater(client: pg.Client, { name, key }: MonthTable, until: Date): Promise<boolean> {
  const text = `SELECT EXISTS (SELECT FROM ${before(name)} WHERE ${pg.escapeIdentifier(key)} >= id_from($1)) AS found`
  return (await client.query<{ found: boolean }>(text, [until])).rows[0]?.found === true
}

/** Proves that all rows are from before `until`. Reads and writes of the table go on. */
async function compare(
  client: pg.Client,
  { name, key }: MonthTable,
  { until, timeoutMs }: { until: Date; timeoutMs: number },
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`ALTER TABLE ${before(name)} DROP CONSTRAINT IF EXISTS before_months`)
    await addBound(client, { name, key }, until, 'NOT VALID')
    await client.query('UPDATE month_tables SET planned = $2 WHERE name = $1', [name, until])
  })
  await inTransaction(client, async () => {
    await client.query(`SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)}`)
    await client.query(`ALTER TABLE ${before(name)} VALIDATE CONSTRAINT before_months`)
  })
}

async function addBound(
  client: pg.Client,
  { name, key }: Pick<MonthTable, 'name' | 'key'>,
  until: Date,
  how: string,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>('SELECT id_from($1)::text AS id', [until])
  const bound = pg.escapeLiteral(String(rows[0]?.id))
  await client.query(
    `ALTER TABLE ${before(name)} ADD CONSTRAINT before_months CHECK (${pg.escapeIdentifier(key)} < ${bound}::uuid) ${how}`,
  )
}

/** Gives the table that held all rows its end, and puts an empty default partition beside it. */
async function divide(client: pg.Client, { name, key }: MonthTable, until: Date): Promise<void> {
  const parent = pg.escapeIdentifier(name)
  const rest = `${name}_rest`
  await client.query(`ALTER TABLE ${parent} DETACH PARTITION ${before(name)}`)
  await client.query('SELECT make_partition($1, $2)', [name, rest])
  if (await holdsLater(client, { name, key, planned: null }, until))
    await client.query('SELECT move_rows($1, $2, $3, id_from($4), NULL)', [`${name}_before_months`, rest, key, until])
  const { rows } = await client.query<{ id: string; compared: boolean }>(
    `SELECT id_from($1)::text AS id, EXISTS (SELECT FROM pg_constraint
       WHERE conrelid = $2::regclass AND conname = 'before_months' AND convalidated) AS compared`,
    [until, `${name}_before_months`],
  )
  if (!rows[0]?.compared) {
    await client.query(`ALTER TABLE ${before(name)} DROP CONSTRAINT IF EXISTS before_months`)
    await addBound(client, { name, key }, until, '')
  }
  const bound = pg.escapeLiteral(String(rows[0]?.id))
  await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${before(name)} FOR VALUES FROM (MINVALUE) TO (${bound})`)
  await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${pg.escapeIdentifier(rest)} DEFAULT`)
  await client.query('UPDATE month_tables SET began = $2, until = $2 WHERE name = $1', [name, until])
}

function before(table: string): string {
  return pg.escapeIdentifier(`${table}_before_months`)
}
