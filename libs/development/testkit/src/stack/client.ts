/**
 * A client application for a service account. It uses oauth4webapi for the token and every DPoP proof, as a client's
 * engineers would, and takes nonces from the responses. The flow, the journeys and the contract tests use it.
 */

import { readFile } from 'node:fs/promises'
import * as oauth from 'oauth4webapi'

export type ApiResponse = {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads from the wire has no type of ours
  body: Record<string, unknown> & { [member: string]: any }
}

/** Differences from a usual request. */
export type RequestOptions = { body?: unknown; key?: string; headers?: Record<string, string>; timeoutMs?: number }

/** A service account with its token. */
export type ApiClient = {
  clientId: string
  /** Gets a token with these scopes. Later requests use it. The token is renewed shortly before it expires. */
  authorize(scopes: string): Promise<void>
  /** Sends one protected request. A `use_dpop_nonce` challenge is answered once (RFC 9449). */
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>
  token(): string
}

// The development stack speaks plain HTTP on loopback.
const insecure = { [oauth.allowInsecureRequests]: true }

/** Creates a service account's client: `private_key_jwt` with the key of the file (a private JWK), and a new DPoP key. */
export async function createServiceClient(options: {
  baseUrl: string
  clientId: string
  privateKeyFile: string
}): Promise<ApiClient> {
  const { baseUrl, clientId } = options
  const jwk = JSON.parse(await readFile(options.privateKeyFile, 'utf8')) as oauth.JWK
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const authentication = oauth.PrivateKeyJwt(jwk.kid ? { key, kid: jwk.kid } : key)
  const issuer = new URL(baseUrl)
  const server = await oauth
    .discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const client: oauth.Client = { client_id: clientId }
  const proofs = oauth.DPoP(client, await oauth.generateKeyPair('ES256', { extractable: false }))

  let accessToken = ''
  let scopes = ''
  let renewAtMs = 0

  const grant = async () => {
    const parameters = new URLSearchParams({ scope: scopes, resource: baseUrl })
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, {
      ...insecure,
      DPoP: proofs,
    })
    return oauth.processClientCredentialsResponse(server, client, response)
  }
  const authorize = async (wanted: string) => {
    scopes = wanted
    const result = await grant().catch((error: unknown) => {
      if (oauth.isDPoPNonceError(error)) return grant()
      throw error
    })
    accessToken = result.access_token
    renewAtMs = Date.now() + ((result.expires_in ?? 300) - 30) * 1_000
  }
  const send = (method: string, path: string, given: RequestOptions) => {
    const headers = new Headers(given.headers)
    if (given.key !== undefined) headers.set('Idempotency-Key', given.key)
    if (given.body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    const body =
      given.body === undefined ? null : typeof given.body === 'string' ? given.body : JSON.stringify(given.body)
    return oauth.protectedResourceRequest(accessToken, method, new URL(path, baseUrl), headers, body, {
      ...insecure,
      DPoP: proofs,
      signal: () => AbortSignal.timeout(given.timeoutMs ?? 60_000),
    })
  }
  return {
    clientId,
    authorize,
    token: () => accessToken,
    request: async (method, path, given = {}) => {
      if (Date.now() > renewAtMs) await authorize(scopes)
      let response: Response
      try {
        response = await send(method, path, given)
      } catch (error) {
        // The library turns a challenge into an error. It has already stored the nonce of the challenge.
        if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
        response = oauth.isDPoPNonceError(error) ? await send(method, path, given).catch(challenged) : error.response
      }
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
    },
  }
}

function challenged(error: unknown): Response {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
  throw error
}
