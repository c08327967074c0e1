/** What the submitter takes from the environment, beside what every service takes. */

import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const pauseMs = (byDefault: number) => z.coerce.number().int().min(10).max(600_000).default(byDefault)

export const submitterConfig = busConfig
  .extend(databaseConfig.shape)
  .extend({
    /** Open what the areas sealed (context: operation id) and what onboarding sealed (context: binding id). */
    PAYLOAD_KEYS: sealingKeys,
    CREDENTIAL_KEYS: sealingKeys,
    PROVIDER_URL: z.url(),
    /** The whole call, from asking for a connection to the last byte of the answer. */
    PROVIDER_TIMEOUT_MS: pauseMs(10_000),
    PROVIDER_CONNECT_TIMEOUT_MS: pauseMs(2_000),
    /** Calls to the provider at once; nothing is claimed without a free one. */
    CALL_SLOTS: z.coerce.number().int().min(1).max(4_096).default(256),
    /** From the claim until the watchdog gives the attempt up. */
    LEASE_MS: pauseMs(30_000),
    /** How long the answer of operations or onboarding is waited for. */
    CALL_TIMEOUT_MS: pauseMs(2_000),
    /** Until a message comes again whose operations could not be judged. */
    RETRY_AFTER_MS: pauseMs(1_000),
    /** A claim is announced only where its outcome is not known by then. */
    CLAIM_EVENT_AFTER_MS: pauseMs(50),
    SWEEP_PAUSE_MS: pauseMs(1_000),
    /** Until an unconfirmed event is published again for the first time. */
    REPUBLISH_AFTER_MS: pauseMs(2_000),
    /**
     * Set after the database was restored or failed over with loss, to the time at which services start again: what was
     * made or accepted before it and is not recorded as claimed may have been submitted, so it becomes indeterminate and
     * is never sent.
     */
    RECOVERY_POINT: z.coerce.date().optional(),
  })
  .refine((config) => config.LEASE_MS > config.PROVIDER_TIMEOUT_MS, {
    path: ['LEASE_MS'],
    error: 'must be longer than PROVIDER_TIMEOUT_MS',
  })

export type SubmitterConfig = z.output<typeof submitterConfig>
