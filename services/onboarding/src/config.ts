/** What the service and its commands take from the environment. */

import { providerReaderConfig } from '@financial-agents/provider-reads/reader-config'
import { busConfig, commonConfig, databaseConfig, databaseUrlConfig, pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const onboardingConfig = z
  .object({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    ...busConfig.shape,
    ...databaseConfig.shape,
    ...writesConfig.shape,
    /** Onboarding's own keys seal the credentials of bindings, too; whoever reads or writes at the provider opens them. */
    ...providerReaderConfig.shape,
    /** Pause between two looks at what has still to be announced or fenced. */
    ANNOUNCE_PAUSE_MS: pauseMs.default(1_000),
    /** How owners sign in: at the fake provider, or not at all. */
    DEVICE_AUTHENTICATION: z.enum(['fake', 'unavailable']).default('unavailable'),
    /** Pause between two looks for verifications that are to be read without anybody waiting. */
    FOLLOW_PAUSE_MS: pauseMs.default(1_000),
    /** Pause between two looks for what is past its time. */
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

/** Of the commands `apply-bindings` and `reseal`. */
export const commandConfig = databaseUrlConfig.extend({ CREDENTIAL_KEYS: sealingKeys })
