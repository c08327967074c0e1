/** The environment variables of the service. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { activityConfig } from '@financial-agents/provider-client/activity-config'
import { providerReaderConfig } from '@financial-agents/provider-client/reader-config'
import { base64Key, busConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const cardsConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...providerReaderConfig.shape,
  ...writesConfig.shape,
  ...activityConfig.shape,
  /** Without `cards.reveal`, no card number is shown. */
  ENABLED_CAPABILITIES: capabilityConfig.shape.ENABLED_CAPABILITIES,
  /** Signs cursors. All replicas share it. */
  CURSOR_KEY: base64Key(32),
  /** The pause between two background jobs for reveal sessions past their retention. */
  PRUNE_PAUSE_MS: pauseMs.default(3_600_000),
})
