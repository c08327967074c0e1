/** Command: brings the schema up to date with DATABASE_URL of the service's own role. Exit 0, or 1 with one line. */

import { migrate } from '@financial-agents/postgres/migrate'
import { databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { migrations } from './migrations.ts'

try {
  const { DATABASE_URL } = readConfig(databaseConfig, process.env)
  const done = await migrate({ connectionString: DATABASE_URL, schema: 'reconciler', migrations })
  process.stdout.write(`reconciler: ${done.length === 0 ? 'up to date' : done.join(', ')}\n`)
} catch (error) {
  const message = error instanceof Error ? error.message : 'failed'
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  process.stderr.write(`reconciler: ${message}${cause}\n`)
  process.exitCode = 1
}
