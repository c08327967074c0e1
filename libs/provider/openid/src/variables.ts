/**
 * The variables of a sign-in at an OpenID provider, for every adapter that takes them. A wrong one is named with what to do, and
 * never with its value.
 */

import type { KeyObject } from 'node:crypto'
import { AdapterError } from '@financial-agents/provider-port/adapter'
import { z } from 'zod'
import { p256 } from './key-variable.ts'

export type OpenidOptions = {
  /** The identifier of the OpenID provider; its metadata is found below it. */
  readonly issuer: string
  readonly clientId: string
  readonly client: { readonly key: KeyObject; readonly keyId: string } | { readonly secret: string }
  readonly scope: string
  /** The claim of the ID token that names the customer, the same each time the same person signs in. */
  readonly customerClaim: string
  /** The token that becomes the credentials of the connection. */
  readonly credentials: 'access_token' | 'refresh_token'
  /** The client certificate of mutual TLS, and the authorities of the issuer's certificate; PEM. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined
}

/** Tokens and keys travel to the issuer, so plain http is only for a test on one machine. */
const issuer = z
  .url({ protocol: /^https?$/, error: 'give the issuer, such as https://login.bank.example' })
  .refine((value) => value.startsWith('https:') || URL.parse(value)?.hostname === '127.0.0.1', {
    error: 'give an https address',
  })

const variables = z
  .object({
    SIGN_IN_ISSUER: issuer,
    SIGN_IN_CLIENT_ID: z.string().min(1).max(255),
    /** The P-256 key of the client's assertions (`private_key_jwt`) and its `kid`, or the client's secret. */
    SIGN_IN_CLIENT_KEY: p256.optional(),
    SIGN_IN_CLIENT_KEY_ID: z.string().min(1).max(255).optional(),
    SIGN_IN_CLIENT_SECRET: z.string().min(1).max(1_000).optional(),
    SIGN_IN_SCOPE: z
      .string()
      .max(1_000)
      .default('openid')
      .refine((value) => value.split(' ').includes('openid'), { error: 'must contain openid' }),
    SIGN_IN_CUSTOMER_CLAIM: z.string().min(1).max(255).default('sub'),
    SIGN_IN_CREDENTIALS: z
      .enum(['access_token', 'refresh_token'], { error: 'give access_token or refresh_token' })
      .default('access_token'),
  })
  .superRefine((given, context) => {
    const { SIGN_IN_CLIENT_KEY: key, SIGN_IN_CLIENT_KEY_ID: keyId, SIGN_IN_CLIENT_SECRET: secret } = given
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((key === undefined) !== (keyId === undefined))
      issue(key ? 'SIGN_IN_CLIENT_KEY_ID' : 'SIGN_IN_CLIENT_KEY', 'is needed with the other of the two')
    if ((key === undefined) === (secret === undefined))
      issue('SIGN_IN_CLIENT_KEY', 'give either it or SIGN_IN_CLIENT_SECRET')
  })

/**
 * Reads the sign-in; undefined if no variable asks for one.
 * @throws AdapterError
 */
export function readOpenid(
  given: Readonly<Record<string, string>>,
  tls?: OpenidOptions['tls'],
): OpenidOptions | undefined {
  if (!Object.keys(given).some((name) => name.startsWith('SIGN_IN_'))) return undefined
  const { data, error } = variables.safeParse(given)
  if (data === undefined)
    throw new AdapterError(
      error.issues.map(({ path, message }) => `${path.map(String).join('.')} (${message})`).join('; '),
    )
  const { SIGN_IN_CLIENT_KEY: key, SIGN_IN_CLIENT_KEY_ID: keyId = '', SIGN_IN_CLIENT_SECRET: secret = '' } = data
  return {
    issuer: data.SIGN_IN_ISSUER,
    clientId: data.SIGN_IN_CLIENT_ID,
    client: key === undefined ? { secret } : { key, keyId },
    scope: data.SIGN_IN_SCOPE,
    customerClaim: data.SIGN_IN_CUSTOMER_CLAIM,
    credentials: data.SIGN_IN_CREDENTIALS,
    tls,
  }
}
