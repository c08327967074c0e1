/** The service's definition: its configuration, its schema, its start and its commands. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { submitterConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'submitter',
  summary: 'Claims accepted operations and makes the one submission attempt of each.',
  config: submitterConfig,
  database: postgresSchema(migrations, privileges),
  provider: (config, environment) =>
    openProvider(config, environment, {
      connections: config.CALL_SLOTS,
      connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
    }),
  start: async (config, opened) => (await import('./start.ts')).startSubmitter(config, opened),
  commands: { archive: () => import('./commands/archive.ts') },
})
