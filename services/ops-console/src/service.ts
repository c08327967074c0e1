/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { defineService } from '@financial-agents/service/service'
import { consoleConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'ops-console',
  summary:
    "The operators' console: the operator area of the API, its tokens, and pages that show what is unsettled and can stop a grant.",
  config: consoleConfig,
  database: postgresSchema(migrations, privileges),
  dateFollowsClock: true,
  start: async (config, opened) => (await import('./start.ts')).startConsole(config, opened),
})
