/** Environment of the submitter, in addition to the variables of every service. */

import { providerAdaptersConfig } from '@financial-agents/provider-client/reader-config'
import { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const pauseMs = (byDefault: number) => z.coerce.number().int().min(10).max(600_000).default(byDefault)

export const submitterConfig = busConfig
  .extend(databaseConfig.shape)
  .extend(providerAdaptersConfig.shape)
  .extend({
    /** Keys that open payloads sealed by the areas (context: operation id) and credentials sealed by onboarding (context: binding id). */
    PAYLOAD_KEYS: sealingKeys,
    CREDENTIAL_KEYS: sealingKeys,
    /** Limit of the whole call, from asking for a connection to the last byte of the answer. */
    PROVIDER_TIMEOUT_MS: pauseMs(10_000),
    PROVIDER_CONNECT_TIMEOUT_MS: pauseMs(2_000),
    /** Concurrent calls to the provider. An operation is claimed only with a free slot. */
    CALL_SLOTS: z.coerce.number().int().min(1).max(4_096).default(256),
    /** Time from the claim until the watchdog gives up the attempt. */
    LEASE_MS: pauseMs(30_000),
    /**
     * Time from the claim until the deadline that is sent to the provider. The provider may not begin to execute the
     * operation after this deadline. The deadline is written with the claim.
     */
    SUBMISSION_VALIDITY_MS: pauseMs(30_000),
    /** Time-out of calls to operations and onboarding. */
    CALL_TIMEOUT_MS: pauseMs(2_000),
    /** Pause before a message is delivered again because its operations could not be validated. */
    RETRY_AFTER_MS: pauseMs(1_000),
    /** A claim is published as its own event only if its outcome is still unknown after this time. */
    CLAIM_EVENT_AFTER_MS: pauseMs(250),
    BACKGROUND_JOB_PAUSE_MS: pauseMs(1_000),
    /** Pause between checks that the partitions of the next months exist. */
    MONTHS_PAUSE_MS: z.coerce.number().int().min(10).default(3_600_000),
    /** Pause before an unconfirmed event is first published again. */
    REPUBLISH_AFTER_MS: pauseMs(2_000),
  })
  .refine((config) => config.LEASE_MS > config.PROVIDER_TIMEOUT_MS, {
    path: ['LEASE_MS'],
    error: 'must be longer than PROVIDER_TIMEOUT_MS',
  })
  .refine((config) => config.SUBMISSION_VALIDITY_MS >= config.LEASE_MS, {
    path: ['SUBMISSION_VALIDITY_MS'],
    error: 'must not be shorter than LEASE_MS: a request may be sent until the lease ends',
  })

export type SubmitterConfig = z.output<typeof submitterConfig>
