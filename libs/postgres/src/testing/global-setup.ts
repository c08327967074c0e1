/** Vitest's global set-up: one PostgreSQL for the whole run. Each test file creates its own schema in it. */

import { startPostgres } from '@financial-agents/servers/postgres-server'
import { testPostgresVariable } from './database.ts'

/** Starts PostgreSQL, and returns the function that stops it. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres({ log: () => {} })
  process.env[testPostgresVariable] = server.adminUrl
  return () => server.stop()
}
