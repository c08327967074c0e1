/**
 * One schema and one login role per service (named by `schemaName`), run by an administrator. A role owns its schema, sees no other, and the
 * public schema is closed to all of them.
 *
 * Invariant: whatever a role was before, afterwards it has these rights and no more; no statement holds a password.
 */

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createPasswordVerifier } from './password-verifier.ts'
import { schemaName } from './schema-name.ts'

/** `connectionLimit` is for all replicas of the service together: 64. */
export type ServiceRole = { service: string; password: string; connectionLimit?: number }

const defaultConnectionLimit = 64

const attempts = 20

/**
 * Creates or updates the roles and schemas, all or none. Idempotent; several may run at once. `adminUrl` is a superuser's
 * connection string.
 */
export async function provisionRoles(adminUrl: string, roles: readonly ServiceRole[]): Promise<void> {
  await whileOthersChangeRoles(() => provisionOnce(adminUrl, roles))
}

async function provisionOnce(adminUrl: string, roles: readonly ServiceRole[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const database = client.escapeIdentifier(client.database ?? 'postgres')
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('provision_roles'))`)
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`)
    for (const role of roles) await provisionRole(client, database, role)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/**
 * Tries again what PostgreSQL failed because somebody else changed who may do what in the database at that moment. For one
 * transaction: what failed has changed nothing.
 */
export async function whileOthersChangeRoles(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !(error as Error).message.includes('tuple concurrently updated')) throw error
      await delay(10 + Math.random() * 50)
    }
  }
}

async function provisionRole(client: pg.Client, database: string, role: ServiceRole): Promise<void> {
  const { service, password, connectionLimit = defaultConnectionLimit } = role
  const plain = schemaName(service)
  const name = client.escapeIdentifier(plain)
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [plain])
  await client.query(
    `${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${name}
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT
    CONNECTION LIMIT ${Math.trunc(connectionLimit)} PASSWORD ${client.escapeLiteral(createPasswordVerifier(password))}`,
  )
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`)
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name} AUTHORIZATION ${name}`)
  // PostgreSQL lets everybody execute, and so see, every new function.
  await client.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${name} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`)
}

/** The connection string of a service's role on the same server. */
export function roleUrl(adminUrl: string, role: ServiceRole): string {
  const url = new URL(adminUrl)
  // The setters leave a percent sign as it is.
  url.username = encodeURIComponent(schemaName(role.service))
  url.password = encodeURIComponent(role.password)
  return url.href
}
