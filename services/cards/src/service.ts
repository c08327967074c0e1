/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openReadingProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { cardsConfig } from './config.ts'
import { migrations } from './migrations.ts'

export const service = defineService({
  name: 'cards',
  summary: "Cards area: the lifecycle of the owner's cards, and visits to the page that shows a number.",
  config: cardsConfig,
  database: postgresSchema(migrations),
  provider: openReadingProvider,
  start: async (config, opened) => (await import('./start.ts')).startCards(config, opened),
})
