/**
 * A schema of its own for a test file, on the PostgreSQL that the test run started once, owned by a role of its own as
 * in production.
 */

import { randomBytes } from 'node:crypto'
import { type Migrations, migrate } from '@financial-agents/postgres/migrate'
import { provisionRoles, roleUrl } from '@financial-agents/postgres/provision'
import pg from 'pg'

/** A schema for one test file. */
export type TestDatabase = {
  /** Of a role that owns `schema` and sees nothing else. */
  connectionString: string
  schema: string
  close(): Promise<void>
}

/** The environment variable through which the test run tells its workers where PostgreSQL is. */
export const testPostgresVariable = 'TEST_POSTGRES_URL'

/** Makes an empty schema and runs `migrations` in it. */
export async function createTestDatabase(options: { service: string; migrations: Migrations }): Promise<TestDatabase> {
  const adminUrl = process.env[testPostgresVariable]
  if (!adminUrl) throw new Error(`run tests with vitest from the repository's root: ${testPostgresVariable} is not set`)
  const role = {
    service: `${options.service}_${randomBytes(5).toString('hex')}`,
    password: randomBytes(16).toString('hex'),
  }
  await provisionRoles(adminUrl, [role])
  const connectionString = roleUrl(adminUrl, role)
  await migrate({ connectionString, schema: role.service, migrations: options.migrations })
  return { connectionString, schema: role.service, close: () => drop(adminUrl, role.service) }
}

async function drop(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name])
    await client.query(`DROP OWNED BY ${client.escapeIdentifier(name)} CASCADE`)
    await client.query(`DROP ROLE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
