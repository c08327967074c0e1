/** What the service and its command take from the environment. */

import { busConfig, commonConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const onboardingConfig = z
  .object({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    ...busConfig.shape,
    ...databaseConfig.shape,
    ...writesConfig.shape,
    /** Pause between two looks at what has still to be announced or fenced. */
    ANNOUNCE_PAUSE_MS: pauseMs.default(1_000),
    /** Seal the credentials of bindings; submitter, reconciler and beneficiaries open them. */
    CREDENTIAL_KEYS: sealingKeys,
    /** How owners sign in: at the fake provider, or not at all. */
    DEVICE_AUTHENTICATION: z.enum(['fake', 'unavailable']).default('unavailable'),
    /** The provider's address; needed for `fake`. */
    PROVIDER_URL: z.url().optional(),
    /** Calls of the provider at once; further ones wait within their time. */
    PROVIDER_CONNECTIONS: z.coerce.number().int().min(1).max(256).default(16),
    /** For a whole call of the provider, waiting and connecting included. */
    PROVIDER_TIMEOUT_MS: z.coerce.number().int().min(50).max(30_000).default(3_000),
    /** Pause between two looks for sign-ins that expired. */
    PRUNE_PAUSE_MS: pauseMs.default(60_000),
    /** Pause between two looks for credentials that no operation needs any more. */
    ERASE_PAUSE_MS: pauseMs.default(60_000),
    /** From the end of a connection until its credentials may be erased; longer than any request under way. */
    ERASE_AFTER_MS: pauseMs.default(120_000),
  })
  .refine((config) => config.DEVICE_AUTHENTICATION !== 'fake' || config.ENVIRONMENT !== 'production', {
    path: ['DEVICE_AUTHENTICATION'],
    error: 'fake is for development and tests alone',
  })
  .refine((config) => config.DEVICE_AUTHENTICATION !== 'fake' || config.PROVIDER_URL !== undefined, {
    path: ['PROVIDER_URL'],
    error: 'needed where DEVICE_AUTHENTICATION is fake',
  })

/** Of the command `apply-bindings`. */
export const applyConfig = z.object({
  ...databaseConfig.shape,
  CREDENTIAL_KEYS: sealingKeys,
})
