/**
 * Schemas that the tests of a worker use one after the other: to make and drop a schema costs more than most tests do.
 *
 * Invariant: a schema is used again only as it was made. No session of its roles is left, and its definitions, its statistics
 * and the rows of its migrations are unchanged. All other tables are emptied.
 */

import pg from 'pg'
import type { Migrations } from '../migrate.ts'
import type { ServiceRoles } from '../provision.ts'
import { schemaName } from '../schema-name.ts'

/** A schema in its first state. */
export type SpareSchema = {
  migrations: Migrations
  /** True if it has its first months. */
  months: boolean
  roles: ServiceRoles
  /** The tables in which migrations wrote rows. */
  filled: readonly string[]
  /** Differs if the schema differs. */
  shape: string
}

const spare: SpareSchema[] = []

/** Takes a schema with these migrations that an earlier test has left. */
export function takeSpareSchema(migrations: Migrations, months: boolean): SpareSchema | undefined {
  const index = spare.findIndex((one) => one.migrations === migrations && one.months === months)
  return index === -1 ? undefined : spare.splice(index, 1)[0]
}

/** Describes a schema that was just made. */
export async function describeSchema(
  client: pg.Client,
  made: Pick<SpareSchema, 'migrations' | 'months' | 'roles'>,
): Promise<SpareSchema> {
  const filled = await listFilledTables(client, made.roles)
  return { ...made, filled, shape: await readShape(client, { ...made, filled }) }
}

/** Empties a schema without sessions for the next test. Returns false if the schema is not as it was. */
export async function keepSpareSchema(client: pg.Client, used: SpareSchema): Promise<boolean> {
  if ((await readShape(client, used)) !== used.shape) return false
  const tables = (await listFilledTables(client, used.roles)).filter((table) => !used.filled.includes(table))
  if (tables.length > 0) {
    const names = tables.map((table) => qualified(used.roles, table)).join(', ')
    // The triggers that keep a table append-only do not run.
    await client.query(`SET session_replication_role = replica; TRUNCATE ${names} RESTART IDENTITY CASCADE`)
  }
  spare.push({ ...used, shape: await readShape(client, used) })
  return true
}

const qualified = ({ service }: ServiceRoles, table: string) =>
  `${pg.escapeIdentifier(schemaName(service))}.${pg.escapeIdentifier(table)}`

async function listFilledTables(client: pg.Client, { service }: ServiceRoles): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
    WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`,
    [pg.escapeIdentifier(schemaName(service))],
  )
  return rows.map(({ name }) => name)
}

const ofRelations = (catalog: string, column: string) =>
  `${catalog} WHERE ${column} IN (SELECT oid FROM pg_class WHERE relnamespace = $1::regnamespace)`

/** The catalogs that describe a schema, with the condition that selects its rows. */
const catalogs = [
  'pg_namespace WHERE oid = $1::regnamespace',
  'pg_class WHERE relnamespace = $1::regnamespace',
  'pg_proc WHERE pronamespace = $1::regnamespace',
  ofRelations('pg_attribute', 'attrelid'),
  ofRelations('pg_attrdef', 'adrelid'),
  ofRelations('pg_constraint', 'conrelid'),
  ofRelations('pg_trigger', 'tgrelid'),
  ofRelations('pg_statistic', 'starelid'),
]

/** Reads the number of rows of each catalog and of each table that migrations filled, and the last transaction that changed one. */
async function readShape(client: pg.Client, { roles, filled }: Pick<SpareSchema, 'roles' | 'filled'>): Promise<string> {
  const sources = [...catalogs, ...filled.map((table) => qualified(roles, table))]
  const figures = sources.map((source) => `(SELECT count(*) || '/' || max(xmin::text::bigint) FROM ${source})`)
  const { rows } = await client.query<{ shape: string }>(`SELECT concat_ws(' ', ${figures.join(', ')}) AS shape`, [
    pg.escapeIdentifier(schemaName(roles.service)),
  ])
  return rows[0]?.shape ?? ''
}
