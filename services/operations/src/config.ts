/** The environment of the service, every variable with its meaning. */

import { base64Key, busConfig, databaseConfig, databaseUrlConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

const hourMs = 3_600_000
const pauseMs = z.coerce.number().int().min(10)
const atOnce = z.coerce.number().int().min(1)

export const operationsConfig = busConfig.extend(databaseConfig.shape).extend({
  /** The origin that clients and owners use: where an owner confirms. */
  PUBLIC_BASE_URL: z.url({ protocol: /^https?$/ }).transform((value) => new URL(value).origin),
  /** The key with which the gateway hashes requests: an intent names a request that is still to come. */
  REQUEST_HASH_KEY: base64Key(32),
  /**
   * Open what the areas sealed (payloads, context: operation id; references of transfers, context: their id) and what onboarding sealed
   * (context: binding id): to prepare approvals, and to show references.
   */
  PAYLOAD_KEYS: sealingKeys,
  CREDENTIAL_KEYS: sealingKeys,
  /** Signs cursors; shared by all replicas. */
  CURSOR_KEY: base64Key(32),
  PROVIDER_URL: z.url(),
  /** The whole call, from asking for a connection to the last byte of the answer. */
  PROVIDER_TIMEOUT_MS: pauseMs.default(5_000),
  PROVIDER_CONNECT_TIMEOUT_MS: pauseMs.default(2_000),
  /** How long the answer of onboarding is waited for. */
  CALL_TIMEOUT_MS: pauseMs.default(2_000),
  /** Questions about approvals to the provider at once. */
  APPROVAL_CALL_SLOTS: atOnce.max(4_096).default(128),
  /** How long a creation or a poll waits for the provider, and never longer than half of what its caller waits. */
  APPROVAL_WAIT_MS: pauseMs.default(1_500),
  /** How often due approvals are looked for; the pause after the first question without an answer, and the longest one. */
  APPROVAL_SWEEP_PAUSE_MS: pauseMs.default(1_000),
  APPROVAL_RETRY_MS: pauseMs.default(1_000),
  APPROVAL_LONGEST_MS: pauseMs.default(60_000),
  /** Acceptances in one transaction, and transactions of acceptances under way at once. */
  ACCEPT_BATCH_ITEMS: atOnce.max(1_000).default(128),
  ACCEPT_CONCURRENCY: atOnce.max(16).default(2),
  /** Event messages taken together, and batches of them under way at once. */
  PROJECT_BATCH_MESSAGES: atOnce.max(64).default(16),
  PROJECT_CONCURRENCY: atOnce.max(16).default(2),
  /** Pause before events that could not be projected come again. */
  PROJECT_RETRY_MS: pauseMs.default(1_000),
  /** Stamped on a key when it is written: a change does not touch issued keys. The contract promises 24 hours. */
  KEY_WINDOW_MS: z.coerce
    .number()
    .int()
    .min(24 * hourMs)
    .max(29 * 24 * hourMs)
    .default(24 * hourMs),
  /** Pause between prunes of key records older than 30 days. */
  PRUNE_PAUSE_MS: pauseMs.default(hourMs),
  /** How often what intents quote is erased, once they are over. */
  ERASE_PAUSE_MS: pauseMs.default(60_000),
  /** How often unclaimed operations are looked for, after what age one is published again, and the longest pause then. */
  SWEEP_PAUSE_MS: pauseMs.default(1_000),
  SWEEP_AFTER_MS: pauseMs.default(5_000),
  SWEEP_LONGEST_MS: pauseMs.default(60_000),
})

/** Of the command `reseal`. */
export const resealConfig = databaseUrlConfig.extend({ PAYLOAD_KEYS: sealingKeys })

export type OperationsConfig = z.output<typeof operationsConfig>
