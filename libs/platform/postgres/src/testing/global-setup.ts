/** Vitest's global set-up: one PostgreSQL for the whole run and all its projects. Each test file creates its own schema in it. */

import { hastySettings, startPostgres } from '@financial-agents/servers/postgres-server'
import { say } from '@financial-agents/servers/say'
import { testPostgresVariable } from './database.ts'

export async function setup(): Promise<() => Promise<void>> {
  // Another project of this run started it, and stops it at the end of the run.
  if (process.env[testPostgresVariable] !== undefined) return async () => {}
  say('starting PostgreSQL')
  const server = await startPostgres({ log: say, settings: { ...hastySettings, max_connections: '400' } })
  process.env[testPostgresVariable] = server.adminUrl
  return async () => {
    delete process.env[testPostgresVariable]
    await server.stop()
  }
}
