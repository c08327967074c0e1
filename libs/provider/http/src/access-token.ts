/**
 * Access tokens by client credentials (`private_key_jwt`). A token is bound to a key, and is kept until shortly before
 * it expires.
 */

import type { KeyObject } from 'node:crypto'
import { webcrypto } from 'node:crypto'
import type { ProofMaker } from '@financial-agents/dpop/make-proof'
import * as oauth from 'oauth4webapi'
import { Agent, fetch as undiciFetch } from 'undici'

/** Client credentials with `private_key_jwt`. Tokens are bound to a P-256 key of this process. */
export type TokenOptions = {
  /** The issuer: the audience of assertions. */
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly clientId: string
  /** A P-256 private key, and its `kid` at the authorization server. */
  readonly clientKey: KeyObject
  readonly keyId: string
  /** The key to which tokens are bound. */
  readonly proofKey: KeyObject
  readonly scope?: string | undefined
}

export type TokenSource = {
  /** Returns the token; undefined if none was obtained within the time. */
  get(timeoutMs: number): Promise<string | undefined>
  /** Drops the token, so that the next call asks for another one. */
  forget(): void
  close(): Promise<void>
}

/** A token is used only if more than this is left of its lifetime. */
const marginMs = 30_000

type CachedToken = { readonly token: string; readonly endsAtMs: number }

/** @param tls of the connection to the authorization server, as of the one to the provider */
export function findToken(
  options: TokenOptions,
  proofs: ProofMaker,
  tls: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined,
): TokenSource {
  const agent = new Agent({ connect: { ...tls } })
  let kept: CachedToken | undefined
  let asking: Promise<CachedToken | undefined> | undefined
  const askOnce = (timeoutMs: number) => {
    asking ??= ask(options, proofs, agent, timeoutMs)
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  return {
    async get(timeoutMs) {
      if (kept === undefined || kept.endsAtMs - marginMs <= Date.now()) kept = await askOnce(timeoutMs)
      return kept?.token
    },
    forget() {
      kept = undefined
    },
    close: () => agent.close(),
  }
}

async function ask(options: TokenOptions, proofs: ProofMaker, agent: Agent, timeoutMs: number): Promise<CachedToken> {
  const { issuer, tokenEndpoint, clientId, clientKey, keyId, scope } = options
  const server = { issuer, token_endpoint: tokenEndpoint }
  const client = { client_id: clientId }
  const jwk = clientKey.export({ format: 'jwk' })
  const key = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  // The server may ask for a nonce once. Its second answer is final.
  const request = (nonce?: string) =>
    oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.PrivateKeyJwt({ key, kid: keyId }),
      scope ? { scope } : {},
      {
        headers: {
          dpop: proofs.makeProof({ method: 'POST', url: tokenEndpoint, ...(nonce === undefined ? {} : { nonce }) }),
        },
        [oauth.customFetch]: (url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent }),
        [oauth.allowInsecureRequests]: new URL(tokenEndpoint).hostname === '127.0.0.1',
        signal: AbortSignal.timeout(timeoutMs),
      },
    )
  const first = await request()
  const nonce = first.status === 400 ? (first.headers.get('dpop-nonce') ?? undefined) : undefined
  const answer = await oauth.processClientCredentialsResponse(
    server,
    client,
    nonce === undefined ? first : await request(nonce),
  )
  return { token: answer.access_token, endsAtMs: Date.now() + (answer.expires_in ?? 60) * 1_000 }
}
