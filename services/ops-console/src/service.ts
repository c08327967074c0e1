/** The service as one value: what it needs, how it starts, what it can be asked to do. */

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
