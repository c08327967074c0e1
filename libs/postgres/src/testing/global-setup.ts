/** Vitest's global set-up: one PostgreSQL for the whole run; each test file makes its own schema in it. */

import { startPostgres } from '@financial-agents/servers/postgres-server'
import { testPostgresVariable } from './database.ts'

/** One PostgreSQL for a run. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres({ log: () => {} })
  process.env[testPostgresVariable] = server.adminUrl
  return () => server.stop()
}
