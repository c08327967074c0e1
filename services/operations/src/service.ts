/** The service's definition: its configuration, its schema, its start and its commands. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { operationsConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'operations',
  summary: "Acceptance with idempotency, and the customer's view of every operation.",
  config: operationsConfig,
  database: postgresSchema(migrations, privileges),
  provider: (config, environment) =>
    openProvider(config, environment, {
      connections: config.APPROVAL_CALL_SLOTS,
      connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
    }),
  start: async (config, opened) => (await import('./start.ts')).startOperations(config, opened),
  commands: {
    archive: () => import('./commands/archive.ts'),
    reencrypt: () => import('./commands/reencrypt.ts'),
    recover: () => import('./commands/recover.ts'),
    'provision-streams': () => import('./commands/provision-streams.ts'),
  },
})
