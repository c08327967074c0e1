/** The environment variables of the service. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { providerReaderConfig } from '@financial-agents/provider-client/reader-config'
import { base64Key, busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const beneficiariesConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  ...writesConfig.shape,
  /** Without `transfers.execute`, no transfer under a mandate is accepted. */
  ENABLED_CAPABILITIES: capabilityConfig.shape.ENABLED_CAPABILITIES,
  /** Signs cursors. All replicas share it. */
  CURSOR_KEY: base64Key(32),
})
