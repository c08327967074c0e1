/** The environment variables of the identity provider. Every variable has a default for use on one machine. */

import { z } from 'zod'

export const identityProviderConfig = z.object({
  /** The listening address. Use only loopback or a test namespace: sign-in needs no password. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(4020),
  /** The server's own origin, if it differs from http://HOST:PORT. */
  ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((value) => URL.parse(value)?.origin === value, {
      error: 'must be an origin such as http://127.0.0.1:4020',
    })
    .optional(),
  /** The id of the only client, the operators' console. */
  CLIENT_ID: z.string().min(1).default('ops-console'),
  /** The client sends it in the body (`client_secret_post`). If unset, the client is public and protected by PKCE only. */
  CLIENT_SECRET: z.string().min(1).optional(),
  /** The permitted redirect URIs, separated by spaces. */
  REDIRECT_URIS: z
    .string()
    .default('http://127.0.0.1:8080/ops/signed-in')
    .transform((value) => value.split(' ').filter((uri) => uri !== '')),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
