/**
 * Archives one month in steps, each of which a crash may interrupt. The horizon moves first. Then the partitions are
 * detached, so that nothing changes in them any more; their rows are written to files, which are read back; and only then
 * rows and partitions are removed. `archived_months` holds the step that is committed.
 *
 * Invariant: a row is removed only after a verified file holds it, and nothing is written to a file after the first row of
 * its month is removed. A row that stays readable is found at every moment: its narrow copy is attached in the
 * transaction that detaches the whole row.
 */

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failpoint } from '@financial-agents/runtime/failpoint'
import pg from 'pg'
import { inTransaction } from '../in-transaction.ts'
import {
  beginFolder,
  completeFolder,
  type Manifest,
  manifest,
  manifestFormat,
  verifyFolder,
  writeTable,
} from './files.ts'
import { findOpen, type Month, type Open } from './months.ts'
import type { ArchivePlan, MonthTable, RowsTable } from './plan.ts'
import { readRows, within } from './rows.ts'

const attempts = 30
const pauseMs = 1_000
const rowsPerDelete = 5_000

/** The work on one month: the connection of the schema's owner, the tables, and the folder of the whole archive. */
export type Work = { client: pg.Client; plan: ArchivePlan; dir: string }

/** The month still has rows that are not settled. Nothing was detached. */
export class StillOpen extends Error {
  override readonly name = 'StillOpen'
  readonly open: Open
  constructor(open: Open) {
    super(`${open.count} rows are not settled`)
    this.open = open
  }
}

/**
 * Detaches the first partition of a month. The horizon has passed the month, so no further rows are inserted, and a
 * settled row stays settled. The rows can therefore be checked without a lock.
 * @throws StillOpen
 */
export async function detach(work: Work, month: Month): Promise<void> {
  const { client, plan } = work
  const [first] = plan.months
  const open = await findOpen(client, first, month)
  if (open.count > 0) throw new StillOpen(open)
  const attach = await copyNarrow(work, first, month)
  failpoint('archive.after_copy')
  await detachTable(work, first.table, month, async () => {
    await attach()
    await client.query(
      `INSERT INTO archived_months (month, from_id, until_id, stage, changed_at) VALUES ($1, $2, $3, 'detached', now())`,
      [month.month, month.from_id, month.until_id],
    )
  })
  failpoint('archive.after_detach')
}

/**
 * Copies the columns that stay into a table, and returns the function that makes this table a partition. Settled rows do
 * not change, so the copy needs no lock. A copy that an interrupted run left is made again.
 */
async function copyNarrow({ client }: Work, { table, key, keeps }: MonthTable, month: Month) {
  if (keeps === undefined) return async () => {}
  const kept = pg.escapeIdentifier(`${table}${month.suffix}_kept`)
  const columns = keeps.map((column) => pg.escapeIdentifier(column)).join(', ')
  await inTransaction(client, async () => {
    await client.query(`DROP TABLE IF EXISTS ${kept}`)
    await client.query('SELECT make_partition($1, $2)', [table, `${table}${month.suffix}_kept`])
    await client.query(`ALTER TABLE ${kept} SET (fillfactor = 100)`)
    await client.query(`INSERT INTO ${kept} (${columns}) SELECT ${columns} FROM ${partitionOf(table, month)}`)
    // With the constraint, PostgreSQL does not scan the rows while the table is locked.
    await client.query(`ALTER TABLE ${kept} ADD CONSTRAINT within_month CHECK (${within(key, month)})`)
  })
  await client.query(`ANALYZE ${kept}`)
  return async () => {
    const parent = pg.escapeIdentifier(table)
    const from = pg.escapeLiteral(month.from_id)
    const until = pg.escapeLiteral(month.until_id)
    await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${kept} FOR VALUES FROM (${from}) TO (${until})`)
    await client.query(`ALTER TABLE ${kept} DROP CONSTRAINT within_month`)
  }
}

/** Goes on with a detached month to its end. Returns its manifest. */
export async function finish(work: Work, month: Month): Promise<Manifest> {
  const { client, plan } = work
  for (const { table } of plan.months.slice(1)) await detachTable(work, table, month, async () => {})
  failpoint('archive.after_detach_all')
  const written = (await findWritten(client, month)) ?? (await write(work, month))
  failpoint('archive.after_written')
  await verifyFolder(folderOf(work, month), written)
  for (const table of plan.rows.filter(({ stays }) => !stays)) await removeRows(client, table, month)
  failpoint('archive.after_rows')
  await inTransaction(client, async () => {
    for (const { table } of plan.months) await client.query(`DROP TABLE ${partitionOf(table, month)}`)
    await client.query(`UPDATE archived_months SET stage = 'removed', changed_at = now() WHERE month = $1`, [
      month.month,
    ])
    failpoint('archive.before_removed')
  })
  return written
}

async function findWritten(client: pg.Client, { month }: Month): Promise<Manifest | undefined> {
  const { rows } = await client.query<{ manifest: unknown }>('SELECT manifest FROM archived_months WHERE month = $1', [
    month,
  ])
  const found = rows[0]?.manifest
  return found === null || found === undefined ? undefined : manifest.parse(found)
}

async function write(work: Work, month: Month): Promise<Manifest> {
  const { client, plan } = work
  const final = folderOf(work, month)
  const folder = await beginFolder(final)
  const tables: Manifest['tables'] = {}
  for (const { table, order } of plan.months) {
    const source = { table: `${table}${month.suffix}`, condition: 'true', order, omitted: [] }
    tables[table] = await writeTable(folder, table, readRows(client, source), [])
    failpoint('archive.after_file')
  }
  for (const { table, key, order, omitted = [] } of plan.rows) {
    const source = { table, condition: within(key, month), order, omitted }
    tables[table] = await writeTable(folder, table, readRows(client, source), omitted)
  }
  await checkCounts(work, month, tables)
  const complete = await completeFolder(folder, final, {
    format: manifestFormat,
    service: plan.service,
    month: month.month,
    from_id: month.from_id,
    until_id: month.until_id,
    until: month.until.toISOString(),
    schema_version: await findSchemaVersion(client),
    written_at: new Date().toISOString(),
    tables,
  })
  failpoint('archive.after_folder')
  await client.query(
    `UPDATE archived_months SET stage = 'written', manifest = $2, changed_at = now() WHERE month = $1`,
    [month.month, JSON.stringify(complete)],
  )
  return complete
}

/** Compares the number of lines with the number of rows, which PostgreSQL counts on its own. */
async function checkCounts({ client, plan }: Work, month: Month, tables: Manifest['tables']): Promise<void> {
  const counted = [
    ...plan.months.map(({ table }) => ({ table, source: partitionOf(table, month), condition: 'true' })),
    ...plan.rows.map(({ table, key }) => ({
      table,
      source: pg.escapeIdentifier(table),
      condition: within(key, month),
    })),
  ]
  for (const { table, source, condition } of counted) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${source} WHERE ${condition}`)
    if (Number(rows[0]?.count) !== tables[table]?.rows)
      throw new Error(`${table} of ${month.month} has ${rows[0]?.count} rows, and its file ${tables[table]?.rows}`)
  }
}

async function removeRows(client: pg.Client, { table, key }: RowsTable, month: Month): Promise<void> {
  const name = pg.escapeIdentifier(table)
  for (;;) {
    const { rowCount } = await client.query(
      `DELETE FROM ${name} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${name} WHERE ${within(key, month)} LIMIT ${rowsPerDelete}))`,
    )
    if ((rowCount ?? 0) < rowsPerDelete) return
  }
}

/**
 * Detaches one partition, unless it is detached already. Waits for its lock briefly and repeatedly, because other
 * statements queue behind a waiting lock.
 */
async function detachTable({ client }: Work, table: string, month: Month, beside: () => Promise<void>): Promise<void> {
  const partition = partitionOf(table, month)
  const { rows } = await client.query<{ attached: boolean }>(
    'SELECT relispartition AS attached FROM pg_class WHERE oid = to_regclass($1)',
    [partition],
  )
  if (!rows[0]?.attached) return
  for (let attempt = 1; ; attempt += 1) {
    try {
      await inTransaction(client, async () => {
        await client.query(`LOCK TABLE ONLY ${pg.escapeIdentifier(table)} IN ACCESS EXCLUSIVE MODE`)
        await client.query(`ALTER TABLE ${pg.escapeIdentifier(table)} DETACH PARTITION ${partition}`)
        await beside()
      })
      return
    } catch (error) {
      const waited = (error as { code?: string }).code === '55P03' || (error as { code?: string }).code === '40P01'
      if (!waited || attempt === attempts) throw error
      await delay(pauseMs)
    }
  }
}

async function findSchemaVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT max(name) AS name FROM kysely_migration')
  return String(rows[0]?.name)
}

function partitionOf(table: string, { suffix }: Month): string {
  return pg.escapeIdentifier(`${table}${suffix}`)
}

function folderOf({ dir, plan }: Work, { month }: Month): string {
  return join(dir, plan.service, month)
}
