/** What the identity provider takes from the environment; every variable has a default that suits one machine. */

import { z } from 'zod'

export const identityProviderConfig = z.object({
  /** Where it listens. Not beyond loopback or a test namespace: it asks nobody for a password. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(4020),
  /** The origin by which it calls itself, where that is not http://HOST:PORT. */
  ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((value) => URL.parse(value)?.origin === value, {
      error: 'must be an origin such as http://127.0.0.1:4020',
    })
    .optional(),
  /** The one client: the operators' console. */
  CLIENT_ID: z.string().min(1).default('ops-console'),
  /** Sent in the body (`client_secret_post`). Unset: a public client, held by PKCE alone. */
  CLIENT_SECRET: z.string().min(1).optional(),
  /** Where people are sent back to; several are separated by spaces. */
  REDIRECT_URIS: z
    .string()
    .default('http://127.0.0.1:8080/ops/signed-in')
    .transform((value) => value.split(' ').filter((uri) => uri !== '')),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
