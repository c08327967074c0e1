/**
 * The environment variables of the console, in addition to those of every service. All replicas share them. Production
 * refuses plain http, because sign-in and tokens would cross the network unencrypted.
 */

import { pagesConfig } from '@financial-agents/pages/branding-config'
import { base64Key, busConfig, commonConfig, databaseConfig, pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { groupScopes } from './sign-in/group-scopes.ts'
import { consoleSigningKeys } from './token/signing-keys.ts'

const origin = z.url({ protocol: /^https?$/ }).refine((value) => URL.parse(value)?.origin === value, {
  error: 'must be an origin such as https://api.example.com',
})

const template = z
  .url({ protocol: /^https?$/ })
  .refine((value) => value.includes('{id}'), { error: 'must contain {id}' })

const names = ['PUBLIC_BASE_URL', 'CONSOLE_BASE_URL', 'OPERATOR_IDP_ISSUER'] as const

export const consoleConfig = z
  .object({
    ...busConfig.shape,
    ...databaseConfig.shape,
    ENVIRONMENT: commonConfig.shape.ENVIRONMENT,
    /** The environment's origin. The issuer and audience of operators' tokens derive from it, and proofs name it. */
    PUBLIC_BASE_URL: origin,
    /** The origin of the console's pages, if the console has a host of its own. */
    CONSOLE_BASE_URL: origin.optional(),
    /** The gateway's address from here, if it differs from PUBLIC_BASE_URL. Use plain http only within the cluster. */
    GATEWAY_URL: origin.optional(),
    /** The longest wait for the gateway's answer to one request of a page. */
    GATEWAY_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
    /** `kid:base64` pairs of P-256 keys (PKCS#8, DER). The first key signs. */
    CONSOLE_SIGNING_KEYS: consoleSigningKeys,
    /** `id:base64` pairs of 32-byte keys for stored sessions and sign-ins. The first key seals. */
    SEALING_KEYS: sealingKeys,
    /** Signs cursors. The key of form tokens is derived from it. */
    CURSOR_KEY: base64Key(32),
    /** The organisation's own OpenID provider. */
    OPERATOR_IDP_ISSUER: z.url({ protocol: /^https?$/ }),
    OPERATOR_IDP_CLIENT_ID: z.string(),
    /** If unset, the console is a public client, protected by PKCE alone. */
    OPERATOR_IDP_CLIENT_SECRET: z.string().optional(),
    OPERATOR_IDP_SCOPES: z
      .string()
      .default('openid profile')
      .refine((value) => value.split(' ').includes('openid'), { error: 'must contain openid' }),
    /** The claim of the ID token that lists the operator's groups. */
    OPERATOR_GROUPS_CLAIM: z.string().default('groups'),
    /** The scopes of each group, such as `viewers=ops:read;responders=ops:read ops:suspend`. */
    OPERATOR_GROUPS: groupScopes,
    /** The address of the logs about an id, such as `https://logs.example/search?q={id}`. */
    LOG_URL_TEMPLATE: template.optional(),
    /** The address of a trace, such as `https://traces.example/trace/{id}`. */
    TRACE_URL_TEMPLATE: template.optional(),
    /** The folder of the runbooks, the same as for the alerts. */
    RUNBOOK_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    ...pagesConfig.pick({ BRAND_NAME: true, BRAND_LOGO_FILE: true, BRAND_ACCENTS: true }).shape,
    /** `true`: a second operator confirms that every grant of a client is suspended. */
    CLIENT_SUSPENSION_BY_TWO: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    /** The pause between two prunes of expired sessions. An expired session is refused even before it is pruned. */
    PRUNE_PAUSE_MS: pauseMs.default(60_000),
  })
  .superRefine((config, issues) => {
    if (config.ENVIRONMENT !== 'production') return
    for (const name of names)
      if (config[name]?.startsWith('http:'))
        issues.addIssue({ code: 'custom', path: [name], message: 'must be https in production' })
  })

export type ConsoleConfig = z.output<typeof consoleConfig>
