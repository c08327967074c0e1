/** The environment variables of the service. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { providerReaderConfig } from '@financial-agents/provider-client/reader-config'
import { base64Key, busConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { z } from 'zod'

export const catalogConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  /** The available capabilities of services, and the address of the documentation. */
  ...capabilityConfig.shape,
  /** The origin of the API. */
  PUBLIC_BASE_URL: z.url({ protocol: /^https?$/ }),
  /** Signs cursors. All replicas share it. */
  CURSOR_KEY: base64Key(32),
  /** The pause between two background jobs for quotes past their retention. */
  PRUNE_PAUSE_MS: pauseMs.default(3_600_000),
})
