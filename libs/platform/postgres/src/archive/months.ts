/** The months of a schema that are attached, with their ranges of ids, and the rows in them that are not settled. */

import pg from 'pg'
import type { ArchivePlan, MonthTable } from './plan.ts'
import type { Range } from './rows.ts'

export type Month = Range & {
  /** `2026-01` */
  month: string
  /** Appended to the name of a table, this is the name of its partition. */
  suffix: string
  until: Date
}

/**
 * Lists the attached months whose retention has passed, the oldest first. The clock is PostgreSQL's, as for the making of
 * months.
 */
export async function listDueMonths(client: pg.Client, plan: ArchivePlan, afterMonths: number): Promise<Month[]> {
  const { rows } = await client.query<Month>(
    `SELECT m.month, m.suffix, m.until, id_from(m.since)::text AS from_id, id_from(m.until)::text AS until_id
     FROM month_tables t CROSS JOIN LATERAL (
       SELECT to_char(s, 'YYYY-MM') AS month, to_char(s, '_YYYY_MM') AS suffix, s AS since, s + interval '1 month' AS until
       FROM generate_series(t.began, t.until - interval '1 day', interval '1 month') s) m
     WHERE t.name = $1 AND m.until + $2 * interval '1 month' <= now()
       AND EXISTS (SELECT FROM pg_class WHERE oid = to_regclass(quote_ident(t.name || m.suffix)) AND relispartition)
     ORDER BY m.until`,
    [plan.months[0].table, afterMonths],
  )
  return rows
}

const namedAtMost = 20

/** The ids of the rows of a month that are not settled: the first 20, and their number. */
export type Open = { count: number; ids: string[] }

/** Finds the rows of a partition that are not settled. */
export function findOpen(client: pg.Client, { table, key, open }: MonthTable, { suffix }: Month): Promise<Open> {
  return find(client, { table: `${table}${suffix}`, key, condition: open ?? 'false' })
}

/** Finds operations from before `until_id` that may still be claimed. */
export function findUnclaimed(client: pg.Client, { table, key, unclaimed }: MonthTable, month: Month): Promise<Open> {
  const condition = `${pg.escapeIdentifier(key)} < ${pg.escapeLiteral(month.until_id)}::uuid AND (${unclaimed ?? 'false'})`
  return find(client, { table, key, condition })
}

async function find(client: pg.Client, asked: { table: string; key: string; condition: string }): Promise<Open> {
  const key = pg.escapeIdentifier(asked.key)
  const { rows } = await client.query<{ count: string; ids: string[] | null }>(
    `SELECT count(*) AS count, (array_agg(id::text ORDER BY id))[1:${namedAtMost}] AS ids
     FROM (SELECT ${key} AS id FROM ${pg.escapeIdentifier(asked.table)} WHERE ${asked.condition}) found`,
  )
  return { count: Number(rows[0]?.count ?? 0), ids: rows[0]?.ids ?? [] }
}

export async function isEmpty(client: pg.Client, plan: ArchivePlan, { suffix }: Month): Promise<boolean> {
  const tables = plan.months.map(({ table }) => `EXISTS (SELECT FROM ${pg.escapeIdentifier(`${table}${suffix}`)})`)
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${tables.join(' OR ')} AS filled`)
  return rows[0]?.filled === false
}
