/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openReadingProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { catalogConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'catalog',
  summary: 'Reference data, services, indicative quotes and released purchases. It moves nothing.',
  config: catalogConfig,
  database: postgresSchema(migrations, privileges),
  provider: openReadingProvider,
  start: async (config, opened) => (await import('./start.ts')).startCatalog(config, opened),
})
