/**
 * One schema and one login role per service, run once by an administrator. A role owns its schema, sees no other, and
 * the public schema is closed to all of them.
 */

import pg from 'pg'

export type ServiceRole = { service: string; password: string }

/** Creates or updates the roles and schemas. Idempotent. `adminUrl` is a superuser's connection string. */
export async function provisionRoles(adminUrl: string, roles: readonly ServiceRole[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const database = client.escapeIdentifier(client.database ?? 'postgres')
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`)
    for (const { service, password } of roles) {
      const name = client.escapeIdentifier(service)
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [service])
      const verb = rowCount === 0 ? 'CREATE' : 'ALTER'
      await client.query(`${verb} ROLE ${name} LOGIN NOINHERIT PASSWORD ${client.escapeLiteral(password)}`)
      await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`)
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${name} AUTHORIZATION ${name}`)
    }
  } finally {
    await client.end()
  }
}

/** The connection string of a service's role on the same server. */
export function roleUrl(adminUrl: string, role: ServiceRole): string {
  const url = new URL(adminUrl)
  url.username = role.service
  url.password = role.password
  return url.href
}
