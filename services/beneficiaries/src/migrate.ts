/** Command: brings the schema up to date as the service's own role. Exit code 0, or 1 with one line that says why. */

import { migrate } from '@financial-agents/postgres/migrate'
import { readConfig } from '@financial-agents/runtime/config'
import { migrateConfig } from './config.ts'
import { migrations } from './migrations.ts'

try {
  const { DATABASE_URL } = readConfig(migrateConfig, process.env)
  const done = await migrate({ connectionString: DATABASE_URL, schema: 'beneficiaries', migrations })
  process.stdout.write(`beneficiaries: ${done.length === 0 ? 'up to date' : done.join(', ')}\n`)
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`beneficiaries: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n`)
  process.exitCode = 1
}
