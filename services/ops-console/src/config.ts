/**
 * What the console takes from the environment, beside what every service takes. Replicas share all of it. Production takes no
 * plain http: sign-in and tokens would cross the network in the clear.
 */

import { base64Key, busConfig, commonConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { groupScopes } from './sign-in/group-scopes.ts'
import { consoleSigningKeys } from './token/signing-keys.ts'

const origin = z.url({ protocol: /^https?$/ }).refine((value) => URL.parse(value)?.origin === value, {
  error: 'must be an origin such as https://api.example.com',
})

const names = ['PUBLIC_BASE_URL', 'CONSOLE_BASE_URL', 'OPERATOR_IDP_ISSUER'] as const

export const consoleConfig = z
  .object({
    ...busConfig.shape,
    ...databaseConfig.shape,
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    /** The environment's origin: issuer and audience of operators' tokens, and what their proofs name. */
    PUBLIC_BASE_URL: origin,
    /** Origin of the console's pages, where it has a host of its own. */
    CONSOLE_BASE_URL: origin.optional(),
    /** Where the gateway is reached from here, where that is another address than PUBLIC_BASE_URL: plain http within the cluster only. */
    GATEWAY_URL: origin.optional(),
    /** `kid:base64` pairs of P-256 keys (PKCS#8, DER), the signing one first. */
    CONSOLE_SIGNING_KEYS: consoleSigningKeys,
    /** `id:base64` pairs of 32-byte keys, the sealing one first: sessions and sign-ins at rest. */
    SEALING_KEYS: sealingKeys,
    /** Signs cursors; the key of the tokens against forged forms is derived from it. */
    CURSOR_KEY: base64Key(32),
    /** The organisation's own OpenID provider. */
    OPERATOR_IDP_ISSUER: z.url({ protocol: /^https?$/ }),
    OPERATOR_IDP_CLIENT_ID: z.string(),
    /** Unset: a public client, held by PKCE alone. */
    OPERATOR_IDP_CLIENT_SECRET: z.string().optional(),
    OPERATOR_IDP_SCOPES: z
      .string()
      .default('openid profile')
      .refine((value) => value.split(' ').includes('openid'), { error: 'must contain openid' }),
    /** The claim of the ID token that lists the operator's groups. */
    OPERATOR_GROUPS_CLAIM: z.string().default('groups'),
    /** What each group may: `viewers=ops:read;responders=ops:read ops:suspend`. */
    OPERATOR_GROUPS: groupScopes,
    /** How often expired sessions are pruned; they are refused from that time on anyway. */
    PRUNE_PAUSE_MS: pauseMs.default(60_000),
  })
  .superRefine((config, issues) => {
    if (config.ENVIRONMENT !== 'production') return
    for (const name of names)
      if (config[name]?.startsWith('http:'))
        issues.addIssue({ code: 'custom', path: [name], message: 'must be https in production' })
  })

export type ConsoleConfig = z.output<typeof consoleConfig>
