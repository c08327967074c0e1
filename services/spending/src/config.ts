/** What the service takes from the environment. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { providerReaderConfig } from '@financial-agents/provider/reader-config'
import { base64Key, busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const spendingConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  ...writesConfig.shape,
  /** Withdrawals need `transfers.execute`. */
  ENABLED_CAPABILITIES: capabilityConfig.shape.ENABLED_CAPABILITIES,
  /** Signs cursors and seals what they hold of the provider's; the same on all replicas. */
  CURSOR_KEY: base64Key(32),
  /** Makes the identifiers of activity; the same on all replicas, and for as long as clients are to know items again. */
  ACTIVITY_KEY: base64Key(32),
})
