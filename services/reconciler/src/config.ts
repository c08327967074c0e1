/** What the reconciler takes from the environment, beside what every service takes. */

import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const pauseMs = (byDefault: number) => z.coerce.number().int().min(10).max(600_000).default(byDefault)

export const reconcilerConfig = busConfig
  .extend(databaseConfig.shape)
  .extend({
    /** Open what onboarding sealed (context: binding id). */
    CREDENTIAL_KEYS: sealingKeys,
    PROVIDER_URL: z.url(),
    PROVIDER_TIMEOUT_MS: pauseMs(10_000),
    PROVIDER_CONNECT_TIMEOUT_MS: pauseMs(2_000),
    /** Reads of the provider at once. */
    READ_SLOTS: z.coerce.number().int().min(1).max(1_024).default(32),
    /** How long one process keeps a row for its read; afterwards another may take it. */
    LOCK_MS: pauseMs(30_000),
    /** How long the answer of onboarding is waited for. */
    CALL_TIMEOUT_MS: pauseMs(2_000),
    /** Between two looks for reads that are due. */
    DUE_PAUSE_MS: pauseMs(250),
    SWEEP_PAUSE_MS: pauseMs(1_000),
    /** Until an unconfirmed event is published again for the first time. */
    REPUBLISH_AFTER_MS: pauseMs(2_000),
  })
  .refine((config) => config.LOCK_MS > config.PROVIDER_TIMEOUT_MS + config.CALL_TIMEOUT_MS, {
    path: ['LOCK_MS'],
    error: 'must be longer than PROVIDER_TIMEOUT_MS and CALL_TIMEOUT_MS together',
  })

export type ReconcilerConfig = z.output<typeof reconcilerConfig>
