/** Environment of the reconciler, in addition to the variables of every service. */

import { providerAdaptersConfig } from '@financial-agents/provider-client/reader-config'
import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const pauseMs = (byDefault: number) => z.coerce.number().int().min(10).max(600_000).default(byDefault)

export const reconcilerConfig = busConfig
  .extend(databaseConfig.shape)
  .extend(providerAdaptersConfig.shape)
  .extend({
    /** Keys that open credentials sealed by onboarding (context: binding id). */
    CREDENTIAL_KEYS: sealingKeys,
    PROVIDER_TIMEOUT_MS: pauseMs(10_000),
    PROVIDER_CONNECT_TIMEOUT_MS: pauseMs(2_000),
    /** Concurrent reads of the provider. */
    READ_SLOTS: z.coerce.number().int().min(1).max(1_024).default(32),
    /** Time that a process holds a row for its read. Another process may take the row afterwards. */
    LOCK_MS: pauseMs(30_000),
    /** Time-out of calls to onboarding. */
    CALL_TIMEOUT_MS: pauseMs(2_000),
    /** Pause between two looks for due reads. */
    DUE_PAUSE_MS: pauseMs(250),
    BACKGROUND_JOB_PAUSE_MS: pauseMs(1_000),
    /** Pause before an unconfirmed event is first published again. */
    REPUBLISH_AFTER_MS: pauseMs(2_000),
  })
  .refine((config) => config.LOCK_MS > config.PROVIDER_TIMEOUT_MS + config.CALL_TIMEOUT_MS, {
    path: ['LOCK_MS'],
    error: 'must be longer than PROVIDER_TIMEOUT_MS and CALL_TIMEOUT_MS together',
  })

export type ReconcilerConfig = z.output<typeof reconcilerConfig>
