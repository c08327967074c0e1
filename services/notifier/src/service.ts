/** The service's definition: its configuration, its schema, its start and its commands. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { defineService } from '@financial-agents/service/service'
import { notifierConfig } from './config.ts'
import { migrations } from './migrations.ts'

export const service = defineService({
  name: 'notifier',
  summary: 'Webhooks: subscriptions, and signed notifications of operations that follow what the customer sees.',
  config: notifierConfig,
  database: postgresSchema(migrations),
  start: async (config, opened) => (await import('./start.ts')).startNotifier(config, opened),
  commands: {
    reencrypt: () => import('./commands/reencrypt.ts'),
  },
})
