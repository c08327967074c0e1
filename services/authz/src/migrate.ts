/** Command: brings the schema `authz` up to date. Takes DATABASE_URL of the service's own role; may run at any time. */

import { migrate } from '@financial-agents/postgres/migrate'
import { ConfigError, databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { migrations } from './migrations.ts'

try {
  const { DATABASE_URL } = readConfig(databaseConfig, process.env)
  const done = await migrate({ connectionString: DATABASE_URL, schema: 'authz', migrations })
  process.stdout.write(done.length === 0 ? 'authz: up to date\n' : `authz: ran ${done.join(', ')}\n`)
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const message = error instanceof ConfigError || error instanceof Error ? error.message : 'failed'
  process.stderr.write(`authz: ${message}${cause}\n`)
  process.exit(1)
}
