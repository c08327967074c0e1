/** What the service takes from the environment. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { providerReaderConfig } from '@financial-agents/provider/reader-config'
import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const spendingConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  ...writesConfig.shape,
  /** Withdrawals need `transfers.execute`. */
  ENABLED_CAPABILITIES: capabilityConfig.shape.ENABLED_CAPABILITIES,
})
