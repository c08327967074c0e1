/** The environment variables of the service and its commands. */

import { providerReaderConfig } from '@financial-agents/provider-client/reader-config'
import { busConfig, commonConfig, databaseConfig, databaseUrlConfig, pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { writesConfig } from '@financial-agents/writes/config'
import { z } from 'zod'

export const onboardingConfig = z.object({
  ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
  ...busConfig.shape,
  ...databaseConfig.shape,
  ...writesConfig.shape,
  /**
   * CREDENTIAL_KEYS also seal what onboarding writes. Every service that reads or writes at the provider opens
   * credentials with them.
   */
  ...providerReaderConfig.shape,
  /** The pause between two background jobs of the outbox. */
  ANNOUNCE_PAUSE_MS: pauseMs.default(1_000),
  /** The provider at which owners sign in, by the name of its adapter; `unavailable`: none. */
  DEVICE_AUTHENTICATION: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/, { error: 'send the name of a provider, or unavailable' })
    .default('unavailable'),
  /** The pause between two background jobs for verifications that are due without a waiting client. */
  FOLLOW_PAUSE_MS: pauseMs.default(1_000),
  /** The pause between two background jobs for expired rows. */
  PRUNE_PAUSE_MS: pauseMs.default(60_000),
  /** The pause between two background jobs for credentials that no operation needs. */
  ERASE_PAUSE_MS: pauseMs.default(60_000),
  /**
   * The time from the end of a connection until its credentials may be erased. It exceeds the life of any request
   * under way.
   */
  ERASE_AFTER_MS: pauseMs.default(120_000),
})

/** The configuration of the commands `apply-bindings` and `reencrypt`. */
export const commandConfig = databaseUrlConfig.extend({ CREDENTIAL_KEYS: sealingKeys })
