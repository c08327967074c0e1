/**
 * A separate schema for each test file, with the roles of production, on the PostgreSQL that the test run started.
 * Tests log in as the schema's owner, so that they can inspect and damage what they created.
 */

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '../database.ts'
import { type Migrations, migrate } from '../migrate.ts'
import { makeFirstMonths } from '../months.ts'
import { changeRoles, ownerUrl, provisionRoles } from '../provision.ts'
import { ownerName, schemaName } from '../schema-name.ts'
import { describeSchema, keepSpareSchema, type SpareSchema, takeSpareSchema } from './spare-schemas.ts'

export type TestDatabase = {
  /** The connection string of the role that owns `schema` and can use nothing else. */
  connectionString: string
  schema: string
  /**
   * Opens a pool of the role, by default with 4 connections. The test database's `close` closes it, if the test has
   * not.
   */
  open(maxConnections?: number): Database
  close(): Promise<void>
}

/** The environment variable with which the test run passes PostgreSQL's address to its workers. */
export const testPostgresVariable = 'TEST_POSTGRES_URL'

/** The time-outs of pools in tests: a busy machine is not an outage of PostgreSQL. */
export const patient = { connectTimeoutMs: 120_000, statementTimeoutMs: 120_000 }

type Options = {
  service: string
  migrations: Migrations
  /** Makes the first months, as the command `migrate` does. */
  months?: boolean
}

/** Creates an empty schema in which `migrations` have run. */
export async function createTestDatabase(options: Options): Promise<TestDatabase> {
  const { service, migrations, months = false } = options
  const adminUrl = process.env[testPostgresVariable]
  if (!adminUrl) throw new Error(`run tests with vitest from the repository's root: ${testPostgresVariable} is not set`)
  const schema = takeSpareSchema(migrations, months) ?? (await makeSchema(adminUrl, options))
  const { roles: role } = schema
  const connectionString = ownerUrl(adminUrl, role)
  const opened = new Set<Database>()
  const open = (maxConnections = 4): Database => {
    const options = { connectionString, applicationName: `${service}-test`, schema: role.service }
    const database = openDatabase({ ...options, ...patient, maxConnections, onError: () => {} })
    opened.add(database)
    return { ...database, close: async () => void (opened.delete(database) && (await database.close())) }
  }
  const close = async () => {
    await Promise.all([...opened].map((database) => database.close()))
    const names = [schemaName(role.service), ownerName(role.service)]
    const isKept = await asAdministrator(
      adminUrl,
      async (client) => (await sessionsHaveEnded(client, names)) && (await keepSpareSchema(client, schema)),
    )
    if (!isKept) await dropRoles(adminUrl, role.service)
  }
  return { connectionString, schema: role.service, open, close }
}

async function makeSchema(adminUrl: string, { service, migrations, months = false }: Options): Promise<SpareSchema> {
  const roles = {
    service: schemaName(`${service}_${randomBytes(5).toString('hex')}`),
    password: randomBytes(16).toString('hex'),
    ownerPassword: randomBytes(16).toString('hex'),
    ownerConnectionLimit: 64,
  }
  await provisionRoles(adminUrl, [roles])
  const connectionString = ownerUrl(adminUrl, roles)
  await migrate({ connectionString, schema: roles.service, migrations })
  if (months) await makeFirstMonths(connectionString, roles.service)
  return asAdministrator(adminUrl, (client) => describeSchema(client, { migrations, months, roles }))
}

const waitMs = 20
const maxWaits = 100

/** Drops the roles and the schema of a service, and ends their remaining sessions. */
export async function dropRoles(adminUrl: string, service: string): Promise<void> {
  const names = [schemaName(service), ownerName(service)]
  await endSessions(adminUrl, names)
  await changeRoles(adminUrl, (client) => {
    const roles = names.map((role) => client.escapeIdentifier(role)).join(', ')
    return client.query(`DROP OWNED BY ${roles} CASCADE; DROP ROLE ${roles}`)
  })
}

async function endSessions(adminUrl: string, names: string[]): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    if (await sessionsHaveEnded(client, names)) return
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ANY ($1)', [names])
  })
}

/** Waits for sessions that are closing by themselves: they would report a terminated connection as an error. */
async function sessionsHaveEnded(client: pg.Client, names: string[]): Promise<boolean> {
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const text = 'SELECT FROM pg_stat_activity WHERE usename = ANY ($1) LIMIT 1'
    if ((await client.query(text, [names])).rowCount === 0) return true
    await delay(waitMs)
  }
  return false
}

async function asAdministrator<Value>(adminUrl: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
