/** What the service takes from the environment. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { providerReaderConfig } from '@financial-agents/provider-reads/reader-config'
import { base64Key, busConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { z } from 'zod'

export const catalogConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  /** Which capabilities of services are available, and where readers are sent for more. */
  ...capabilityConfig.shape,
  /** The origin of the API. */
  PUBLIC_BASE_URL: z.url({ protocol: /^https?$/ }),
  /** Signs cursors; the same on all replicas. */
  CURSOR_KEY: base64Key(32),
  /** Pause between two looks for quotes that are past their time. */
  PRUNE_PAUSE_MS: pauseMs.default(3_600_000),
})
