/**
 * Two login roles and one schema per service, run by an administrator: `<schema>_owner` owns the schema, and migrations alone log
 * in as it; `<schema>` is what the service runs as, and only reads and writes rows. Neither sees another schema, and the public
 * one is closed to all of them. What is said to PostgreSQL is in `role-statements.ts`.
 *
 * Invariant: whatever a role was before, afterwards it has these rights and no more; no statement holds a password.
 */

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createPasswordVerifier } from './password-verifier.ts'
import { databaseStatements, schemaStatements } from './role-statements.ts'
import { ownerName, schemaName } from './schema-name.ts'

/** Of connections, all replicas of the service together: 64, and 16 for its migrations. */
type Limits = { connectionLimit?: number; ownerConnectionLimit?: number }

/** The roles of a service. */
export type ServiceRoles = Limits & { service: string; password: string; ownerPassword: string }

/** The same for who makes the roles and never sees a password. */
export type RoleVerifiers = Limits & { service: string; verifier: string; ownerVerifier: string }

const defaultConnectionLimit = 64

const attempts = 20

/**
 * Creates or updates the roles and schemas, all or none. Idempotent; several may run at once. A schema that the service's role
 * still owns becomes the owner's, with everything in it. `adminUrl` is the connection string of a superuser, or of a role that owns
 * the database and may create roles.
 */
export async function provisionRoles(adminUrl: string, roles: readonly ServiceRoles[]): Promise<void> {
  const verifiers = roles.map(({ password, ownerPassword, ...role }) => ({
    ...role,
    verifier: createPasswordVerifier(password),
    ownerVerifier: createPasswordVerifier(ownerPassword),
  }))
  await provisionVerifiers(adminUrl, verifiers)
}

/** The same from verifiers (`createPasswordVerifier`). */
export async function provisionVerifiers(adminUrl: string, roles: readonly RoleVerifiers[]): Promise<void> {
  await changeRoles(adminUrl, async (client) => {
    const database = client.escapeIdentifier(client.database ?? 'postgres')
    for (const statement of databaseStatements(database)) await client.query(statement)
    for (const { verifier, ownerVerifier, connectionLimit = defaultConnectionLimit, ...role } of roles) {
      const statements = schemaStatements(database, {
        ...role,
        verifier: pg.escapeLiteral(verifier),
        ownerVerifier: pg.escapeLiteral(ownerVerifier),
        connectionLimit: String(Math.trunc(connectionLimit)),
      })
      for (const statement of statements) await client.query(statement)
    }
  })
}

/** Does this in one transaction, while nobody else does the like: what may be done with a database is one row for all roles. */
export async function changeRoles(adminUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  await whileOthersChangeRoles(async () => {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    try {
      await client.query('BEGIN')
      await client.query(`SELECT pg_advisory_xact_lock(hashtext('provision_roles'))`)
      await work(client)
      await client.query('COMMIT')
    } finally {
      await client.end()
    }
  })
}

/**
 * Tries again what PostgreSQL failed because somebody who takes no lock changed who may do what at that moment. For one
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

/** The connection string of the role that a service runs as, on the same server. */
export function roleUrl(adminUrl: string, { service, password }: Pick<ServiceRoles, 'service' | 'password'>): string {
  return withLogin(adminUrl, schemaName(service), password)
}

/** The connection string of the role that owns the schema of a service, for its migrations. */
export function ownerUrl(
  adminUrl: string,
  { service, ownerPassword }: Pick<ServiceRoles, 'service' | 'ownerPassword'>,
): string {
  return withLogin(adminUrl, ownerName(service), ownerPassword)
}

function withLogin(adminUrl: string, role: string, password: string): string {
  const url = new URL(adminUrl)
  // The setters leave a percent sign as it is.
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  return url.href
}
