/** The environment variables of the service and its command. */

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
    /** Keys that seal the stored secrets of subscriptions. */
    SEALING_KEYS: sealingKeys,
    /** Signs cursors. All replicas share it. */
    CURSOR_KEY: base64Key(32),
    /**
     * `id:base64` pairs of 32-byte Ed25519 seeds. The first signs, and all are published. Without keys, webhooks are
     * off.
     */
    WEBHOOK_SIGNING_KEYS: sealingKeys.optional(),
    /** Allows receivers on this machine, by plain HTTP and on any port. */
    WEBHOOK_LOOPBACK: z.enum(['refused', 'allowed']).default('refused'),
    /** Time-out of a whole exchange with a receiver, the look-up of its host included. */
    WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(50).max(10_000).default(10_000),
    /** Simultaneous exchanges of this process, and with one host. */
    WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(1_024).default(256),
    WEBHOOK_HOST_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(8),
    /** The endpoint of the operator's platform, which receives the events of owners. */
    OWNER_EVENTS_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** The secret that the platform shares with us, for the HMAC signature. */
    OWNER_EVENTS_SECRET: base64Key(32).optional(),
    /** An event of the owner is made when this part of a limit is used, in percent. */
    OWNER_EVENTS_CAP_PERCENT: z.coerce.number().int().min(50).max(99).default(80),
    /** The pause between two background jobs for new events. */
    OWNER_EVENTS_PAUSE_MS: pauseMs.default(5_000),
    /** The pause between two background jobs for due deliveries. */
    DELIVER_PAUSE_MS: pauseMs.default(500),
    /** The pause between two checks for an outage longer than the stream's retention. */
    CATCH_UP_PAUSE_MS: pauseMs.default(30_000),
    /** The pause between two background jobs for deliveries past their retention. */
    PRUNE_PAUSE_MS: pauseMs.default(3_600_000),
  })
  .refine((config) => config.WEBHOOK_LOOPBACK !== 'allowed' || config.ENVIRONMENT !== 'production', {
    path: ['WEBHOOK_LOOPBACK'],
    error: 'allowed is for development and tests alone',
  })
  .refine(
    ({ OWNER_EVENTS_URL: url, ...config }) => !url || (config.OWNER_EVENTS_SECRET && config.WEBHOOK_SIGNING_KEYS),
    {
      path: ['OWNER_EVENTS_URL'],
      error: 'needs OWNER_EVENTS_SECRET and WEBHOOK_SIGNING_KEYS',
    },
  )
  .refine(({ OWNER_EVENTS_URL: url, WEBHOOK_LOOPBACK }) => !url || isSafe(URL.parse(url), WEBHOOK_LOOPBACK), {
    path: ['OWNER_EVENTS_URL'],
    error: 'must be https, without user name, password and fragment',
  })

function isSafe(url: URL | null, loopback: 'refused' | 'allowed'): boolean {
  // The schema refuses it.
  if (url === null) return true
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false
  return (
    url.protocol === 'https:' || (loopback === 'allowed' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  )
}

export const reencryptConfig = databaseUrlConfig.extend({ SEALING_KEYS: sealingKeys })
