/** The service's definition: its configuration, its schema and its start. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openReadingProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { beneficiariesConfig } from './config.ts'
import { migrations } from './migrations.ts'

export const service = defineService({
  name: 'beneficiaries',
  summary: "Beneficiaries area: drafts, acceptance, the owner's beneficiaries, and the provider's reference data.",
  config: beneficiariesConfig,
  database: postgresSchema(migrations),
  provider: openReadingProvider,
  start: async (config, opened) => (await import('./start.ts')).startBeneficiaries(config, opened),
})
