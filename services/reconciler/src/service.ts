/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { reconcilerConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'reconciler',
  summary: 'Settles submitted and uncertain operations by reads of the provider, and by nothing else.',
  config: reconcilerConfig,
  database: postgresSchema(migrations, privileges),
  provider: (config, environment) =>
    openProvider(config, environment, {
      connections: config.READ_SLOTS,
      connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
    }),
  start: async (config, opened) => (await import('./start.ts')).startReconciler(config, opened),
})
