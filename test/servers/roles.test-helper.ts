/**
 * A PostgreSQL with the roles of an installation. `deploy/postgres/roles.sql` creates them from verifiers in the
 * environment, and each schema is migrated by its owner.
 */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { verifierVariable } from '@financial-agents/deploy/secrets/names'
import { schemaOwners } from '@financial-agents/deploy/secrets/table'
import { createPassword } from '@financial-agents/deploy/secrets/values'
import { type Migrations, migrate } from '@financial-agents/postgres/migrate'
import { createPasswordVerifier } from '@financial-agents/postgres/password-verifier'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { ownerUrl, roleUrl } from '@financial-agents/postgres/provision'
import { ownerName, schemaName } from '@financial-agents/postgres/schema-name'
import { startPostgres } from '@financial-agents/servers/postgres-server'
import pg from 'pg'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const script = join(root, 'deploy/postgres/roles.sql')

const database = 'financial_agents'

/** The program that runs the script: psql 14 or newer if the machine has it, else the fake below. */
export type Runner = 'psql' | 'fake'

/** Starts a server of its own, because roles belong to the whole cluster. */
export async function startProvisioned({ migrated = true } = {}) {
  const server = await startPostgres({ log: () => {}, sources: ['container', 'path', 'npm'] })
  try {
    const admin = await connect(server.adminUrl)
    await admin.query(`CREATE DATABASE ${database}`)
    await admin.end()
    const adminUrl = new URL(server.adminUrl)
    adminUrl.pathname = `/${database}`
    const roles = schemaOwners.map((service) => ({
      service,
      password: createPassword(),
      ownerPassword: createPassword(),
    }))
    const environment = Object.fromEntries(
      roles.flatMap(({ service, password, ownerPassword }) => [
        [verifierVariable(schemaName(service)), createPasswordVerifier(password)],
        [verifierVariable(ownerName(service)), createPasswordVerifier(ownerPassword)],
      ]),
    )
    const runner = await findRunner()
    const provision = (env: Record<string, string> = environment) =>
      runner === 'psql' ? runPsql(adminUrl.href, env) : runFake(adminUrl.href, env)
    await provision()
    const migrateSchema = async (role: (typeof roles)[number]) => {
      const schema = schemaName(role.service)
      const connectionString = ownerUrl(adminUrl.href, role)
      await migrate({ connectionString, schema, ...(await migrationsOf(role.service)) })
    }
    if (migrated) for (const role of roles) await migrateSchema(role)
    return { adminUrl: adminUrl.href, roles, environment, runner, provision, migrateSchema, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Finds the migrations that the service's `migrate` command runs. */
async function migrationsOf(service: string): Promise<{ migrations: Migrations; privileges?: Privileges }> {
  const file = join(root, 'services', service, 'src/migrations.ts')
  const { migrations, privileges } = (await import(file)) as { migrations: Migrations; privileges?: Privileges }
  return privileges ? { migrations, privileges } : { migrations }
}

/** The roles of one service, with their passwords. */
export type Roles = Awaited<ReturnType<typeof startProvisioned>>['roles'][number]

/** Opens a connection. Tests cause connection errors themselves, so these are ignored. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The address for the service's role or its owner's. */
export const urlOf = (adminUrl: string, roles: Roles, who: 'runtime' | 'owner') =>
  who === 'owner' ? ownerUrl(adminUrl, roles) : roleUrl(adminUrl, roles)

async function findRunner(): Promise<Runner> {
  const { stdout } = await run('psql', ['--version']).catch(() => ({ stdout: '' }))
  return Number(/ (\d+)/.exec(stdout)?.[1] ?? 0) >= 14 ? 'psql' : 'fake'
}

async function runPsql(url: string, env: Record<string, string>): Promise<void> {
  await run('psql', ['--no-psqlrc', '--quiet', url, '--file', script], { env: { PATH: process.env['PATH'], ...env } })
}

/** Does what psql would do for the script: takes variables from the environment, and fails if one is missing. */
async function runFake(url: string, env: Record<string, string>): Promise<void> {
  const variables = new Map<string, string>([['DBNAME', database]])
  const statements: string[] = []
  for (const line of (await readFile(script, 'utf8')).split('\n')) {
    const [word = '', name = '', value = ''] = line.split(' ')
    if (word === '\\set') variables.set(name, value)
    else if (word === '\\getenv' && env[value] !== undefined) variables.set(name, env[value])
    else if (word === '\\if' && !variables.has(/\{\?(\w+)\}/.exec(line)?.[1] ?? '')) throw new Error(`${line} fails`)
    else if (!word.startsWith('\\')) statements.push(line.replace(' \\g /dev/null', ';'))
  }
  const client = await connect(url)
  const text = statements
    .filter((line) => !line.includes('is not set'))
    .join('\n')
    .replaceAll(/:'(\w+)'/g, (_, name: string) => client.escapeLiteral(variables.get(name) ?? ''))
    .replaceAll(/:"(\w+)"/g, (_, name: string) => client.escapeIdentifier(variables.get(name) ?? ''))
    .replaceAll(/(?<=LIMIT ):(\w+)/g, (_, name: string) => variables.get(name) ?? '')
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
