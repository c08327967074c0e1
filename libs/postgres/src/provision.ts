/**
 * One schema and one login role per service, run by an administrator. A role owns its schema, sees no other, and the
 * public schema is closed to all of them.
 *
 * Invariant: whatever a role was before, afterwards it has these rights and no more; no statement holds a password.
 */

import pg from 'pg'
import { createPasswordVerifier } from './password-verifier.ts'

/** `connectionLimit` is for all replicas of the service together: 64. */
export type ServiceRole = { service: string; password: string; connectionLimit?: number }

const defaultConnectionLimit = 64

/**
 * SQL for a transaction that changes roles or who may do what in the database: PostgreSQL fails all but one of those that
 * do so at once.
 */
export const rolesLock = `SELECT pg_advisory_xact_lock(hashtext('provision_roles'))`

/**
 * Creates or updates the roles and schemas, all or none. Idempotent; several may run at once. `adminUrl` is a superuser's
 * connection string.
 */
export async function provisionRoles(adminUrl: string, roles: readonly ServiceRole[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const database = client.escapeIdentifier(client.database ?? 'postgres')
    await client.query('BEGIN')
    await client.query(rolesLock)
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`)
    for (const role of roles) await provisionRole(client, database, role)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

async function provisionRole(client: pg.Client, database: string, role: ServiceRole): Promise<void> {
  const { service, password, connectionLimit = defaultConnectionLimit } = role
  const name = client.escapeIdentifier(service)
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [service])
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
  url.username = encodeURIComponent(role.service)
  url.password = encodeURIComponent(role.password)
  return url.href
}
