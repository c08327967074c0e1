/** Reads the authentication from variables. An error names the wrong variable and what to do, and never its value. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { p256, pem, privateKey } from '@financial-agents/provider-openid/key-variable'
import { z } from 'zod'
import type { Authentication } from './authentication.ts'

/** A variable is missing or wrong. The message is one line. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
}

const address = z.url({ protocol: /^https?$/, error: 'give an address' })

/** The variables, without the prefix of their adapter. */
export const authenticationVariables = z
  .object({
    /** The certificate of mutual TLS and its key; PEM. */
    TLS_CERTIFICATE: pem.optional(),
    TLS_KEY: pem.optional(),
    /** The authorities of the provider's certificate, where they are not those of the system; PEM. */
    TLS_AUTHORITIES: pem.optional(),
    /** The provider's authorization server, the client at it, and the P-256 key of its assertions. */
    TOKEN_ISSUER: address.optional(),
    TOKEN_ENDPOINT: address.optional(),
    TOKEN_CLIENT_ID: z.string().min(1).max(255).optional(),
    TOKEN_CLIENT_KEY: p256.optional(),
    TOKEN_CLIENT_KEY_ID: z.string().min(1).max(255).optional(),
    TOKEN_SCOPE: z.string().min(1).max(1_000).optional(),
    /** The Ed25519 or P-256 key that signs requests (RFC 9421), and the name by which the provider knows it. */
    SIGNATURE_KEY: privateKey(['ed25519', 'prime256v1'], 'an Ed25519 or P-256 private key').optional(),
    SIGNATURE_KEY_ID: z.string().min(1).max(255).optional(),
  })
  .superRefine((variables, context) => {
    for (const together of groups) {
      const missing = together.filter((name) => variables[name] === undefined)
      if (missing.length === 0 || missing.length === together.length) continue
      for (const name of missing)
        context.addIssue({ code: 'custom', path: [name], message: `is needed with ${present(together, missing)}` })
    }
  })

const groups = [
  ['TLS_CERTIFICATE', 'TLS_KEY'],
  ['TOKEN_ISSUER', 'TOKEN_ENDPOINT', 'TOKEN_CLIENT_ID', 'TOKEN_CLIENT_KEY', 'TOKEN_CLIENT_KEY_ID'],
  ['SIGNATURE_KEY', 'SIGNATURE_KEY_ID'],
] as const

function present(together: readonly string[], missing: readonly string[]): string {
  return together.filter((name) => !missing.includes(name)).join(' and ')
}

/**
 * Reads the authentication; undefined if no variable asks for one. A key for proofs is made for this process.
 * @throws AuthenticationError
 */
export function readAuthentication(variables: Readonly<Record<string, string>>): Authentication | undefined {
  const { data, error } = authenticationVariables.safeParse(variables)
  if (data === undefined) {
    const wrong = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    throw new AuthenticationError(wrong.join('; '))
  }
  const tls = {
    ...(data.TLS_CERTIFICATE === undefined ? {} : { cert: data.TLS_CERTIFICATE }),
    ...(data.TLS_KEY === undefined ? {} : { key: data.TLS_KEY }),
    ...(data.TLS_AUTHORITIES === undefined ? {} : { ca: data.TLS_AUTHORITIES }),
  }
  const { TOKEN_ISSUER: issuer, TOKEN_ENDPOINT: tokenEndpoint, TOKEN_CLIENT_ID: clientId } = data
  const { TOKEN_CLIENT_KEY: clientKey, TOKEN_CLIENT_KEY_ID: keyId, TOKEN_SCOPE: scope } = data
  const { SIGNATURE_KEY: signatureKey, SIGNATURE_KEY_ID: signatureKeyId } = data
  const token =
    issuer && tokenEndpoint && clientId && clientKey && keyId
      ? { issuer, tokenEndpoint, clientId, clientKey, keyId, scope, proofKey: newProofKey() }
      : undefined
  const signature = signatureKey && signatureKeyId ? { key: signatureKey, keyId: signatureKeyId } : undefined
  if (Object.keys(tls).length === 0 && token === undefined && signature === undefined) return undefined
  return { tls, token, signature }
}

function newProofKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}
