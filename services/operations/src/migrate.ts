/** Brings the schema up to date, as the role that owns it. Exit 0, or 1 with one line that says what failed. */

import { migrate } from '@financial-agents/postgres/migrate'
import { ConfigError, databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { migrations } from './migrations.ts'

try {
  const { DATABASE_URL } = readConfig(databaseConfig, process.env)
  const done = await migrate({ connectionString: DATABASE_URL, schema: 'operations', migrations })
  process.stdout.write(`operations: ${done.length === 0 ? 'up to date' : `migrated ${done.join(', ')}`}\n`)
} catch (error) {
  process.stderr.write(`operations: ${describe(error)}\n`)
  process.exitCode = 1
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'the migration failed'
  const cause = error.cause instanceof Error && !(error instanceof ConfigError) ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`.replaceAll('\n', ' ')
}
