/** The environment variables of the gateway. */

import { isIP } from 'node:net'
import { capabilityConfig } from '@financial-agents/contract/capabilities'
import { pagesConfig } from '@financial-agents/pages/branding-config'
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

export const gatewayConfig = busConfig
  .extend(capabilityConfig.shape)
  .extend(pagesConfig.shape)
  .extend({
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    /**
     * The origin that clients use: the issuer, the audience of tokens, and the base with which the `htu` of proofs is
     * compared.
     */
    PUBLIC_BASE_URL: origin,
    /**
     * The operators' console's own origin, if it has one. That origin then answers the console's pages and nothing else.
     */
    CONSOLE_BASE_URL: origin.optional(),
    /**
     * A registered device client with which developers of this environment may begin. The front page then shows the first lines to
     * run. Leave it unset wherever money is real.
     */
    FIRST_CLIENT_ID: z
      .string()
      .regex(/^[\w.-]{1,64}$/, { error: 'must be a client id of letters, digits, ., _ and -' })
      .optional(),
    /** The folder of the built documentation site. The default is the folder `documentation` beside the program, as in the image. */
    DOCUMENTATION_FOLDER: z.string().min(1).optional(),
    HOST: z.string().default('0.0.0.0'),
    /** Port 0 chooses a free port. */
    PORT: z.coerce.number().int().min(0).max(65535).default(8080),
    /** The key of DPoP nonces; the same in all replicas. */
    NONCE_KEY: base64Key(32),
    /** The previous or the next NONCE_KEY, while it is being rotated. */
    NONCE_OTHER_KEY: base64Key(32).optional(),
    /**
     * Hashes canonical requests. The key is the same in all replicas, and must not change within the idempotency window.
     */
    REQUEST_HASH_KEY: base64Key(32),
    /** Requests per second for each grant and each operator; 0 disables the limit. */
    GRANT_RATE_PER_S: perSecond(20),
    GRANT_BURST: burst(40),
    /** Requests without credentials, and failed authentications, per second and client address; 0 disables the limit. */
    ADDRESS_RATE_PER_S: perSecond(10),
    ADDRESS_BURST: burst(30),
    /**
     * Addresses, ranges (`10.0.0.0/8`), `loopback`, `linklocal` or `uniquelocal`: the proxies whose forwarded chain is
     * trusted.
     */
    TRUSTED_PROXIES: list
      .refine((items) => items.every((item) => namedRanges.has(item) || isAddressRange(item)), {
        error: 'must be addresses or ranges',
      })
      .default([]),
    /**
     * The header in which the trusted proxies write that chain. The other header is ignored, because it may come from the
     * client.
     */
    FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).default('x-forwarded-for'),
    /** The time that a service has to answer. */
    REQUEST_DEADLINE_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
    /** The time in which a request must arrive. Its head must arrive in half of it. */
    REQUEST_TIMEOUT_MS: z.coerce.number().int().min(200).max(300_000).default(30_000),
    /** The time after which a connection is closed if its client reads nothing although data waits to be sent. */
    CONNECTION_STALL_MS: z.coerce.number().int().min(200).max(600_000).default(60_000),
    /**
     * The time after the stop in which clients can move to another replica; each answer asks them to. Idle connections
     * are closed afterwards. A request that a client sends at that moment would be lost.
     */
    CONNECTION_DRAIN_MS: z.coerce.number().int().min(0).max(10_000).default(5_000),
    /** The silence of authz's feed after which every protected request is refused. */
    GRANT_FEED_SILENCE_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
    /** The interval between reads of the signing keys. A removed key is trusted for at most this long. */
    SIGNING_KEYS_PAUSE_MS: z.coerce.number().int().min(50).max(60_000).default(20_000),
    /** The capacity of this replica's record of used proofs: requests per second × 340 s, with 24 to 48 bytes each. */
    PROOF_RECORD_MAX_ENTRIES: z.coerce.number().int().min(1_000).max(50_000_000).default(2_000_000),
  })

export type GatewayConfig = z.output<typeof gatewayConfig>
