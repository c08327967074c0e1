/**
 * The environment variables of the authorization server, in addition to those of every service. All replicas share
 * them: a different DPOP_NONCE_KEY would challenge every second request, and a different PAIRWISE_KEY would give owners
 * new subjects.
 */

import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { pagesConfig } from '@financial-agents/pages/branding-config'
import { base64Key, busConfig, commonConfig, databaseConfig } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** An origin: scheme, host and port, without a path or a trailing slash. */
const origin = z.url({ protocol: /^https?$/ }).refine((value) => URL.parse(value)?.origin === value, {
  error: 'must be an origin such as https://api.example.com',
})

/**
 * The key of the pairwise subjects. The command that applies clients needs it too. If it is lost, every owner gets a
 * new subject.
 */
export const pairwiseConfig = z.object({ PAIRWISE_KEY: base64Key(32) })

export const authzConfig = busConfig
  .extend(databaseConfig.shape)
  .extend(pairwiseConfig.shape)
  .extend(capabilityConfig.shape)
  .extend(pagesConfig.shape)
  .extend({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    /** The environment's origin: the issuer, the resource identifier, and the start of every published address. */
    PUBLIC_BASE_URL: origin,
    /** `id:base64` pairs of 32-byte keys for stored signing keys and protocol artifacts. The first key seals. */
    SEALING_KEYS: sealingKeys,
    /** The key of the DPoP nonces of the token endpoint. */
    DPOP_NONCE_KEY: base64Key(32),
    /**
     * The origin of the provider's hosted pages, the only place where owners are sent to approve and, without
     * SIGN_IN_ORIGIN, to sign in. If both are unset, nobody can sign in.
     */
    PROVIDER_PAGES_ORIGIN: origin.optional(),
    /** The origin of the OpenID provider at which owners sign in, where it is another than the hosted pages'. */
    SIGN_IN_ORIGIN: origin.optional(),
    /** The pause between two reads of changes, which are then announced to the gateways. */
    FEED_PAUSE_MS: z.coerce.number().int().min(10).max(1_000).default(250),
    /** The pause between two background jobs for fences that the submitter has not confirmed. */
    FENCE_PAUSE_MS: z.coerce.number().int().min(10).max(60_000).default(1_000),
    /** The pause between two reads of the signing keys. A new key signs long after every replica has read it. */
    KEYS_PAUSE_MS: z.coerce.number().int().min(10).max(10_000).default(2_000),
    /** The pause between two background jobs that end expired grants. An expired grant is refused even before it is ended. */
    EXPIRY_PAUSE_MS: z.coerce.number().int().min(10).max(600_000).default(10_000),
    /** The pause between two prunes of expired rows. */
    PRUNE_PAUSE_MS: z.coerce.number().int().min(10).default(60_000),
    /** Must be unset, because the library's debug output may show data that clients sent. */
    DEBUG: z.undefined({ error: 'must not be set' }).optional(),
  })
  .refine((config) => config.ENVIRONMENT !== 'production' || config.PUBLIC_BASE_URL.startsWith('https:'), {
    path: ['PUBLIC_BASE_URL'],
    error: 'must be https in production',
  })

export type AuthzConfig = z.output<typeof authzConfig>
