/** What the gateway takes from the environment. */

import { isIP } from 'node:net'
import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { base64Key, busConfig, commonConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const origin = z
  .url({ protocol: /^https?$/ })
  .transform((value) => new URL(value))
  .refine((url) => url.href === `${url.origin}/`, { error: 'must be an origin, without path or query' })
  .transform((url) => url.origin)

const namedRanges = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isAddressRange(value: string): boolean {
  const [address = '', bits, ...more] = value.split('/')
  const widest = isIP(address) === 4 ? 32 : 128
  return more.length === 0 && isIP(address) !== 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= widest))
}

const perSecond = (usual: number) => z.coerce.number().min(0).max(1_000_000).default(usual)
const burst = (usual: number) => z.coerce.number().int().min(1).max(1_000_000).default(usual)

export const gatewayConfig = busConfig.extend(capabilityConfig.shape).extend({
  ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
  /** The origin that clients use: issuer, audience of tokens, and what the `htu` of proofs is compared with. */
  PUBLIC_BASE_URL: origin,
  /** The origin of the operators' console, where it has one of its own: its pages are answered there alone, and nothing else is. */
  CONSOLE_BASE_URL: origin.optional(),
  HOST: z.string().default('0.0.0.0'),
  /** 0 takes a free one. */
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  /** Makes DPoP nonces; the same in all replicas. */
  NONCE_KEY: base64Key(32),
  /** The previous or the next NONCE_KEY, while it is being rotated. */
  NONCE_OTHER_KEY: base64Key(32).optional(),
  /** Hashes canonical requests; the same in all replicas, and never changed while keys are in their window. */
  REQUEST_HASH_KEY: base64Key(32),
  /** Requests per second and grant, or operator; 0 is without limit. */
  GRANT_RATE_PER_S: perSecond(20),
  GRANT_BURST: burst(40),
  /** Requests without credentials and failed authentications, per second and client address; 0 is without limit. */
  ADDRESS_RATE_PER_S: perSecond(10),
  ADDRESS_BURST: burst(30),
  /** Addresses, ranges (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal` whose forwarded chain is believed. */
  TRUSTED_PROXIES: list
    .refine((items) => items.every((item) => namedRanges.has(item) || isAddressRange(item)), {
      error: 'must be addresses or ranges',
    })
    .default([]),
  /** Where the trusted proxies write that chain. What they do not write comes from the client, and is not believed. */
  FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).default('x-forwarded-for'),
  /** How long a service may take to answer. */
  REQUEST_DEADLINE_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  /** How long a request may take to arrive; its head, half of that. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(200).max(300_000).default(30_000),
  /** A client that takes nothing for so long of what waits to be sent to it is closed. */
  CONNECTION_STALL_MS: z.coerce.number().int().min(200).max(600_000).default(60_000),
  /**
   * How long clients have, from the stop on, to go elsewhere: each answer asks them to. Then what is idle is closed; a
   * request sent at that very moment would be lost.
   */
  CONNECTION_DRAIN_MS: z.coerce.number().int().min(0).max(10_000).default(5_000),
  /** After so long without a word from authz every protected request is refused. */
  GRANT_FEED_SILENCE_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  /** How often the keys of access tokens are read again: for so long at most is a removed one believed. */
  SIGNING_KEYS_PAUSE_MS: z.coerce.number().int().min(50).max(60_000).default(20_000),
  /** Used proofs on record here: requests per second × 340 s. 24 to 48 bytes each. */
  PROOF_RECORD_MAX_ENTRIES: z.coerce.number().int().min(1_000).max(50_000_000).default(2_000_000),
})

export type GatewayConfig = z.output<typeof gatewayConfig>
