/**
 * Work shared by all stacks of a test run and done once: the bundles of every service, which start in a third of the
 * time of the sources, and a PostgreSQL with every schema migrated. Each stack gets a copy of that PostgreSQL.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleServices, findServices } from '@financial-agents/deploy/images/bundle-services'
import { runToEnd } from '@financial-agents/servers/child-process'
import { hastySettings, type PostgresServer, startPostgres } from '@financial-agents/servers/postgres-server'
import { compileCache } from './compile-cache.ts'
import type { Prepared } from './prepared.ts'
import { type Bundles, programOf } from './programs.ts'
import { createSchemas, type MigratedDatabase } from './schemas.ts'

/**
 * Prepares what stacks start from. Call `remove` after all of them have stopped.
 * @throws Error in one line that says which service cannot be bundled or migrated; nothing is left behind
 */
export async function prepareStacks(log: (line: string) => void): Promise<Prepared & { remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-prepared-'))
  let server: PostgresServer | undefined
  const remove = async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const bundles = { folder }
    log('bundling the services')
    const [services, started] = await Promise.all([findServices(), startCopiable(log)])
    server = started
    await bundleServices({ services, out: folder, version: '0.0.0-test' })
    return { bundles, ...(server && { database: await migrateAll(server, bundles, log) }), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Starts a PostgreSQL of this machine. Undefined if there is none, or if POSTGRES_URL names another. */
async function startCopiable(log: (line: string) => void): Promise<PostgresServer | undefined> {
  if (process.env['POSTGRES_URL']) return undefined
  return startPostgres({ log, settings: hastySettings, sources: ['path', 'npm'] }).catch(() => undefined)
}

async function migrateAll(
  server: PostgresServer,
  bundles: Bundles,
  log: (line: string) => void,
): Promise<MigratedDatabase> {
  log('migrating the schemas')
  const roles = await createSchemas(server.adminUrl, (service, environment) => {
    const { args, options } = programOf(service, bundles)
    const env = { PATH: process.env['PATH'], ...compileCache, ...environment }
    return runToEnd(`${service} migrate`, process.execPath, [...args, 'migrate'], { cwd: options.cwd, env })
  })
  return { data: await server.freeze(), roles }
}
