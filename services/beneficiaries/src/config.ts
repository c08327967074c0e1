/** What the service takes from the environment. */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { base64Key, busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const pauseMs = z.coerce.number().int().min(10)

export const beneficiariesConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  /** Without `transfers.execute` nothing is transferred under a mandate. */
  ENABLED_CAPABILITIES: capabilityConfig.shape.ENABLED_CAPABILITIES,
  /** The provider's address. */
  PROVIDER_URL: z.url(),
  PROVIDER_CONNECTIONS: z.coerce.number().int().min(1).max(256).default(16),
  /** For a whole read of the provider, connecting included. */
  PROVIDER_READ_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(3_000),
  /** Seal what is to be submitted; the submitter opens it. */
  PAYLOAD_KEYS: sealingKeys,
  /** Open the credentials that onboarding sealed. */
  CREDENTIAL_KEYS: sealingKeys,
  /** Signs cursors; the same on all replicas. */
  CURSOR_KEY: base64Key(32),
  /** Pause between two looks for drafts and pending rows that nothing moved. */
  SWEEP_PAUSE_MS: pauseMs.default(2_000),
  /** A draft this old asks operations whether it was accepted, and is void if not. */
  DRAFT_DECIDE_AFTER_MS: pauseMs.default(10_000),
  /** A pending row not moved for this long is looked up; later looks come ever more rarely. */
  PENDING_PULL_AFTER_MS: pauseMs.default(30_000),
})
