/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openReadingProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { spendingConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'spending',
  summary:
    "Accounts, activity and the spending account; withdrawals, within the provider's limits and the ceilings of the grant.",
  config: spendingConfig,
  database: postgresSchema(migrations, privileges),
  provider: openReadingProvider,
  start: async (config, opened) => (await import('./start.ts')).startSpending(config, opened),
})
