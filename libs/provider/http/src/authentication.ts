/**
 * The proof of who sends a request: an access token with a DPoP proof, and a signature over the request (RFC 9421). The client
 * certificate of mutual TLS belongs to the connection (`exchange.ts`).
 *
 * Invariant: everything is made before the one request is written. Without a token nothing is sent, which is `unsent`. A refused
 * token is never a reason to send a request again.
 */

import { createHash, type KeyObject } from 'node:crypto'
import { createProofMaker } from '@financial-agents/dpop/make-proof'
import { createSigner, httpbis } from 'http-message-signatures'
import { findToken, type TokenOptions, type TokenSource } from './access-token.ts'
import type { Exchange, ExchangeRequest } from './exchange.ts'

/** The authentication of requests. Every part may be missing. */
export type Authentication = {
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined
  readonly token?: TokenOptions | undefined
  readonly signature?: { readonly keyId: string; readonly key: KeyObject } | undefined
}

/**
 * Returns the exchange with authentication added to its requests.
 * @param origin the address that signatures and proofs name
 */
export function authenticated(exchange: Exchange, origin: string, { token, signature, tls }: Authentication): Exchange {
  const proofs = token && createProofMaker(token.proofKey)
  const tokens: TokenSource | undefined = token && proofs && findToken(token, proofs, tls)
  return {
    async send(request) {
      const startedAt = performance.now()
      const headers: Record<string, string> = { ...request.headers }
      if (tokens !== undefined && proofs !== undefined) {
        const found = await tokens.get(request.timeoutMs)
        if (found === undefined) return { type: 'unsent', cause: 'NO_ACCESS_TOKEN' }
        nameBoth(
          headers,
          found,
          proofs.makeProof({ method: request.method, url: origin + request.path, accessToken: found }),
        )
      }
      const signed = signature === undefined ? headers : await sign(origin, { ...request, headers }, signature)
      const leftMs = request.timeoutMs - (performance.now() - startedAt)
      if (leftMs <= 0) return { type: 'unsent', cause: 'NO_ACCESS_TOKEN_IN_TIME' }
      const result = await exchange.send({ ...request, headers: signed, timeoutMs: leftMs })
      if (result.type === 'answered' && result.status === 401) tokens?.forget()
      return result
    },
    async close() {
      await Promise.all([exchange.close(), tokens?.close()])
    },
  }
}

/** Puts the application into `Authorization`, and the person into a header of their own. */
function nameBoth(headers: Record<string, string>, token: string, proof: string): void {
  const person = /^Bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1]
  if (person !== undefined) headers['financial-agents-person'] = person
  headers['authorization'] = `DPoP ${token}`
  headers['dpop'] = proof
}

const algorithms: Readonly<Record<string, string>> = { ed25519: 'ed25519', ec: 'ecdsa-p256-sha256' }

/** Headers that a signature covers if they are present. */
const coverable = ['content-digest', 'content-type', 'authorization', 'financial-agents-person', 'dpop']

async function sign(
  origin: string,
  { method, path, headers, body }: ExchangeRequest,
  { keyId, key }: NonNullable<Authentication['signature']>,
): Promise<Record<string, string>> {
  const digest = body === null ? undefined : createHash('sha256').update(body).digest('base64')
  const whole = { ...headers, ...(digest === undefined ? {} : { 'content-digest': `sha-256=:${digest}:` }) }
  const algorithm = algorithms[key.asymmetricKeyType ?? ''] ?? 'ed25519'
  const signed = await httpbis.signMessage(
    {
      key: createSigner(key, algorithm, keyId),
      fields: ['@method', '@target-uri', ...coverable.filter((name) => name in whole)],
      paramValues: { tag: 'financial-agents-provider' },
      params: ['created', 'expires', 'keyid', 'alg', 'tag'],
    },
    { method, url: origin + path, headers: whole },
  )
  return Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]))
}
