/** What the service and its command take from the environment. */

import {
  base64Key,
  busConfig,
  commonConfig,
  databaseConfig,
  databaseUrlConfig,
  pauseMs,
} from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

export const notifierConfig = z
  .object({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    ...busConfig.shape,
    ...databaseConfig.shape,
    /** Seal the secrets of subscriptions at rest. */
    SEALING_KEYS: sealingKeys,
    /** Signs cursors; the same on all replicas. */
    CURSOR_KEY: base64Key(32),
    /** `id:base64` pairs of 32-byte Ed25519 seeds: the first signs, all are published. Without it webhooks are off. */
    WEBHOOK_SIGNING_KEYS: sealingKeys.optional(),
    /** Lets receivers be on this machine, by plain HTTP and on any port. */
    WEBHOOK_LOOPBACK: z.enum(['refused', 'allowed']).default('refused'),
    /** For a whole exchange with a receiver, from the look-up of its host on. */
    WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(50).max(10_000).default(10_000),
    /** Exchanges at once in this process, and with one host. */
    WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(1_024).default(256),
    WEBHOOK_HOST_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(8),
    /** Pause between two looks for deliveries that are due. */
    DELIVER_PAUSE_MS: pauseMs.default(500),
    /** Pause between two looks for what the stream no longer holds. */
    CATCH_UP_PAUSE_MS: pauseMs.default(30_000),
    /** Pause between two looks for deliveries that are past their time. */
    PRUNE_PAUSE_MS: pauseMs.default(3_600_000),
  })
  .refine((config) => config.WEBHOOK_LOOPBACK !== 'allowed' || config.ENVIRONMENT !== 'production', {
    path: ['WEBHOOK_LOOPBACK'],
    error: 'allowed is for development and tests alone',
  })

/** Of the command `reseal`. */
export const resealConfig = databaseUrlConfig.extend({ SEALING_KEYS: sealingKeys })
