/** What the service and its command take from the environment. The service itself never opens credentials. */

import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

export const onboardingConfig = z.object({
  ...busConfig.shape,
  ...databaseConfig.shape,
  /** Pause between two looks at what has still to be announced or fenced. */
  ANNOUNCE_PAUSE_MS: z.coerce.number().int().min(10).default(1_000),
})

/** Of the command `apply-bindings`. */
export const applyConfig = z.object({
  ...databaseConfig.shape,
  /** Seal the credentials of bindings; submitter, reconciler and beneficiaries open them. */
  CREDENTIAL_KEYS: sealingKeys,
})
