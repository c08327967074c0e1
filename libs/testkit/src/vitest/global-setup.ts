/** Vitest's global set-up: one PostgreSQL for the whole run, whatever projects it has; each test file makes its own schema in it. */

import { startPostgres } from '../servers/postgres-server.ts'
import { hastySettings } from '../stack/prepared.ts'
import { testPostgresVariable } from './database.ts'
import { say } from './say.ts'

/** One PostgreSQL for a run. */
export async function setup(): Promise<() => Promise<void>> {
  // Another project of this run has started it, and stops it at the end of the run.
  if (process.env[testPostgresVariable] !== undefined) return async () => {}
  say('starting PostgreSQL')
  const server = await startPostgres({ log: say, settings: { ...hastySettings, max_connections: '400' } })
  process.env[testPostgresVariable] = server.adminUrl
  return async () => {
    delete process.env[testPostgresVariable]
    await server.stop()
  }
}
