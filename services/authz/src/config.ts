/**
 * What the authorization server takes from the environment, beside what every service takes. Replicas share all of it:
 * another DPOP_NONCE_KEY would challenge every second request, another PAIRWISE_KEY would give owners new subjects.
 */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { base64Key, busConfig, commonConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** An origin: scheme, host and port, without a path or a slash at the end. */
const origin = z.url({ protocol: /^https?$/ }).refine((value) => URL.parse(value)?.origin === value, {
  error: 'must be an origin such as https://api.example.com',
})

/** The key of the pairwise subjects; the command that applies clients needs it too. Losing it gives every owner a new subject. */
export const pairwiseConfig = z.object({ PAIRWISE_KEY: base64Key(32) })

export const authzConfig = busConfig
  .extend(databaseConfig.shape)
  .extend(pairwiseConfig.shape)
  .extend(capabilityConfig.shape)
  .extend({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    /** The environment's origin: issuer, resource identifier, and what every published address starts with. */
    PUBLIC_BASE_URL: origin,
    /** `id:base64` pairs of 32-byte keys, the sealing one first: signing keys and protocol artifacts at rest. */
    SEALING_KEYS: sealingKeys,
    /** The key of the DPoP nonces of the token endpoint. */
    DPOP_NONCE_KEY: base64Key(32),
    /** Where the provider's hosted pages are: owners are sent there, and nowhere else, to sign in. Unset: nobody signs in. */
    PROVIDER_PAGES_ORIGIN: origin.optional(),
    /** How often changes are looked for and announced to the gateways. */
    FEED_PAUSE_MS: z.coerce.number().int().min(10).max(1_000).default(250),
    /** How often the submitter is asked for fences it has not confirmed. */
    FENCE_PAUSE_MS: z.coerce.number().int().min(10).max(60_000).default(1_000),
    /** How often the signing keys are read: a new one signs long after every replica has seen it. */
    KEYS_PAUSE_MS: z.coerce.number().int().min(10).max(10_000).default(2_000),
    /** How often grants whose time is over are ended; they are refused from that time on anyway. */
    EXPIRY_PAUSE_MS: z.coerce.number().int().min(10).max(600_000).default(10_000),
    /** How often expired rows are pruned. */
    PRUNE_PAUSE_MS: z.coerce.number().int().min(10).default(60_000),
    /** The library's debug output may show what clients sent. */
    DEBUG: z.undefined({ error: 'must not be set' }).optional(),
  })
  .refine((config) => config.ENVIRONMENT !== 'production' || config.PUBLIC_BASE_URL.startsWith('https:'), {
    path: ['PUBLIC_BASE_URL'],
    error: 'must be https in production',
  })

export type AuthzConfig = z.output<typeof authzConfig>
