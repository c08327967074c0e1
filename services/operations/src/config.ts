/** The environment variables of the service. */

import { providerAdaptersConfig } from '@financial-agents/provider-client/reader-config'
import { base64Key, busConfig, databaseConfig, databaseUrlConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const hourMs = 3_600_000
const pauseMs = z.coerce.number().int().min(10)
const atOnce = z.coerce.number().int().min(1)

export const operationsConfig = busConfig
  .extend(databaseConfig.shape)
  .extend(providerAdaptersConfig.shape)
  .extend({
    /** The origin that clients and owners use. Owners confirm there. */
    PUBLIC_BASE_URL: z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin),
    /** The key with which the gateway hashes requests. An intent holds the hash of a request that comes later. */
    REQUEST_HASH_KEY: base64Key(32),
    /**
     * Keys that open payloads (context: operation id) and references of transfers (context: transfer id), which the areas
     * sealed, and credentials (context: binding id), which onboarding sealed. They are needed to prepare approvals and to
     * show references.
     */
    PAYLOAD_KEYS: sealingKeys,
    CREDENTIAL_KEYS: sealingKeys,
    /** Signs cursors. All replicas share it. */
    CURSOR_KEY: base64Key(32),
    /** Time-out of the whole call, from the request for a connection to the last byte of the answer. */
    PROVIDER_TIMEOUT_MS: pauseMs.default(5_000),
    PROVIDER_CONNECT_TIMEOUT_MS: pauseMs.default(2_000),
    /** Time-out of the calls to other services. */
    CALL_TIMEOUT_MS: pauseMs.default(2_000),
    /** The number of simultaneous questions about approvals to the provider. */
    APPROVAL_CALL_SLOTS: atOnce.max(4_096).default(128),
    /**
     * The longest time that a creation or a poll waits for the provider. The wait never exceeds half of its caller's
     * time-out.
     */
    APPROVAL_WAIT_MS: pauseMs.default(1_500),
    /**
     * The pause between background jobs for due approvals, the pause after the first unanswered question, and the longest pause.
     */
    APPROVAL_JOB_PAUSE_MS: pauseMs.default(1_000),
    APPROVAL_RETRY_MS: pauseMs.default(1_000),
    APPROVAL_LONGEST_MS: pauseMs.default(60_000),
    /** Acceptances in one transaction, and simultaneous transactions. One row has the ids of a batch, and must fit a page. */
    ACCEPT_BATCH_ITEMS: atOnce.max(400).default(128),
    ACCEPT_CONCURRENCY: atOnce.max(16).default(2),
    /** Event messages in one batch, and simultaneous batches. */
    PROJECT_BATCH_MESSAGES: atOnce.max(64).default(16),
    PROJECT_CONCURRENCY: atOnce.max(16).default(2),
    /** The pause before the redelivery of events that could not be projected. */
    PROJECT_RETRY_MS: pauseMs.default(1_000),
    /**
     * The lifetime of a key, stamped on the key when it is written. A change does not affect issued keys. The contract
     * promises 24 hours.
     */
    KEY_WINDOW_MS: z.coerce
      .number()
      .int()
      .min(24 * hourMs)
      .max(29 * 24 * hourMs)
      .default(24 * hourMs),
    /** The pause between checks that the partitions of the next months exist. */
    MONTHS_PAUSE_MS: pauseMs.default(hourMs),
    /** The pause between prunes of key records older than 30 days. */
    PRUNE_PAUSE_MS: pauseMs.default(hourMs),
    /** The pause between two erasures of the quotes of ended intents. */
    ERASE_PAUSE_MS: pauseMs.default(60_000),
    /**
     * The pause between background jobs for unclaimed operations, the age at which one is published again, and the longest pause
     * between publications.
     */
    BACKGROUND_JOB_PAUSE_MS: pauseMs.default(1_000),
    BACKGROUND_JOB_AFTER_MS: pauseMs.default(5_000),
    BACKGROUND_JOB_LONGEST_MS: pauseMs.default(60_000),
  })

export const reencryptConfig = databaseUrlConfig.extend({ PAYLOAD_KEYS: sealingKeys })

export type OperationsConfig = z.output<typeof operationsConfig>
