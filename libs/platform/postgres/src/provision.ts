/**
 * Creates two login roles and one schema per service; an administrator runs it. `<schema>_owner` owns the schema and is
 * used by migrations only. `<schema>` is the role of the running service, and only reads and writes rows. Neither role
 * can use another schema, and the public schema is closed to both. `role-statements.ts` has the statements.
 *
 * Invariant: afterwards a role has exactly these rights, whatever it had before. No statement contains a password.
 */

import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createPasswordVerifier } from './password-verifier.ts'
import { databaseStatements, schemaStatements } from './role-statements.ts'
import { ownerName, schemaName } from './schema-name.ts'

export type ServiceRoles = {
  service: string
  password: string
  ownerPassword: string
  /** Connection limits over all replicas of a service: by default 64, and 16 for its migrations. */
  connectionLimit?: number
  ownerConnectionLimit?: number
}

const defaultConnectionLimit = 64

const attempts = 20

/** The passwords of stacks and tests are random: one round of hashing protects them, and logins cost less. */
const hashRounds = 1

/**
 * Creates or updates the roles and schemas of a stack or test, all or none. Idempotent; concurrent runs are safe. `adminUrl` is
 * the connection string of a superuser, or of a role that owns the database and may create roles.
 */
export async function provisionRoles(adminUrl: string, roles: readonly ServiceRoles[]): Promise<void> {
  await changeRoles(adminUrl, async (client) => {
    const database = client.escapeIdentifier(client.database ?? 'postgres')
    const verifierOf = (password: string) => pg.escapeLiteral(createPasswordVerifier(password, hashRounds))
    const statements = roles.flatMap(({ password, ownerPassword, connectionLimit = defaultConnectionLimit, ...role }) =>
      schemaStatements(database, {
        ...role,
        verifier: verifierOf(password),
        ownerVerifier: verifierOf(ownerPassword),
        connectionLimit: String(Math.trunc(connectionLimit)),
      }),
    )
    await client.query([...databaseStatements(database), ...statements].join(';\n'))
  })
}

/**
 * Runs `work` in one transaction, under a lock against other changes of roles: the rights on a database are one row for
 * all roles.
 */
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
 * Retries `work` if PostgreSQL failed it because another session changed rights or locked tables at the same time without the lock.
 * `work` is one transaction, so a failed attempt has changed nothing.
 */
export async function whileOthersChangeRoles(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isOfOthers(error)) throw error
      await delay(10 + Math.random() * 50)
    }
  }
}

const deadlock = '40P01'

function isOfOthers(error: unknown): boolean {
  const { code, message } = error as pg.DatabaseError
  return code === deadlock || message.includes('tuple concurrently updated')
}

/** The connection string of a service's role, on the same server. */
export function roleUrl(adminUrl: string, { service, password }: Pick<ServiceRoles, 'service' | 'password'>): string {
  return withLogin(adminUrl, schemaName(service), password)
}

/** The connection string of the role that owns a service's schema, for its migrations. */
export function ownerUrl(
  adminUrl: string,
  { service, ownerPassword }: Pick<ServiceRoles, 'service' | 'ownerPassword'>,
): string {
  return withLogin(adminUrl, ownerName(service), ownerPassword)
}

function withLogin(adminUrl: string, role: string, password: string): string {
  const url = new URL(adminUrl)
  // The setters of URL do not escape a percent sign.
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  return url.href
}
