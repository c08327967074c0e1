/**
 * An application that a person signs in to. It uses openid-client for authorization, tokens, devices and every DPoP
 * proof, as a client's engineers would. `pnpm sign-in` and the tests of the pages use it.
 */

import { readFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import * as openid from 'openid-client'

/** A registered application, as in `stack.json`. */
export type Registered = {
  client_id: string
  scopes: readonly string[]
  /** The file with its private JWK; null for a public client. */
  private_key_file: string | null
}

/** An authorization request, and the values that its response must match. */
export type AuthorizationRequest = { url: URL; checks: openid.AuthorizationCodeGrantChecks }

export type ApplicationResponse = {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads from the wire has no type of ours
  body: { [member: string]: any }
}

/** An application with its keys. After a person's decision it also has tokens. */
export type ApplicationClient = {
  /** Returns the address that the person's browser is sent to. A confidential client pushes the request first. */
  authorize(redirectUri: string, parameters?: Record<string, string>): Promise<AuthorizationRequest>
  /**
   * Redeems the code of an authorization response. Later requests use the tokens. Throws the OAuth error of a refused
   * request.
   */
  redeem(answer: URL, request: AuthorizationRequest): Promise<{ scope: string; subject: string | undefined }>
  /** Asks for a code that the person enters on another device. */
  startDevice(scope: string): Promise<openid.DeviceAuthorizationResponse>
  /** Waits until the person has decided. Later requests use the tokens. */
  pollDevice(started: openid.DeviceAuthorizationResponse, signal?: AbortSignal): Promise<{ scope: string }>
  /** Exchanges the current refresh token for new tokens. */
  refresh(): Promise<void>
  /** Revokes the grant with the current refresh token. */
  revoke(): Promise<void>
  /** Sends one protected request. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApplicationResponse>
}

/** Discovers the server and makes a DPoP key for this client. */
export async function createApplicationClient(baseUrl: string, client: Registered): Promise<ApplicationClient> {
  const { client_id, scopes } = client
  const config = await openid.discovery(new URL(baseUrl), client_id, {}, await authenticationOf(client), {
    // The development stack speaks plain HTTP on loopback.
    execute: [openid.allowInsecureRequests],
  })
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'))
  let tokens: Awaited<ReturnType<typeof openid.authorizationCodeGrant>> | undefined
  const held = () => {
    if (!tokens) throw new Error(`${client_id} has no token yet`)
    return tokens
  }
  return {
    authorize: async (redirectUri, given = {}) => {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const checks = {
        pkceCodeVerifier,
        expectedState: openid.randomState(),
        ...(scopes.includes('openid') ? { expectedNonce: openid.randomNonce(), idTokenExpected: true } : {}),
      }
      const parameters = {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        resource: baseUrl,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        dpop_jkt: await DPoP.calculateThumbprint(),
        state: checks.expectedState,
        ...(checks.expectedNonce ? { nonce: checks.expectedNonce } : {}),
        ...given,
      }
      const isConfidential = client.private_key_file !== null
      const url = isConfidential
        ? await openid.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
        : openid.buildAuthorizationUrl(config, parameters)
      return { url, checks }
    },
    redeem: async (answer, { checks }) => {
      tokens = await openid.authorizationCodeGrant(config, answer, checks, { resource: baseUrl }, { DPoP })
      return { scope: tokens.scope ?? '', subject: tokens.claims()?.sub }
    },
    startDevice: (scope) => openid.initiateDeviceAuthorization(config, { scope, resource: baseUrl }),
    pollDevice: async (started, signal) => {
      const options = { DPoP, ...(signal ? { signal } : {}) }
      tokens = await openid.pollDeviceAuthorizationGrant(config, started, {}, options)
      return { scope: tokens.scope ?? '' }
    },
    refresh: async () => {
      tokens = await openid.refreshTokenGrant(config, held().refresh_token ?? '', { resource: baseUrl }, { DPoP })
    },
    revoke: () => openid.tokenRevocation(config, held().refresh_token ?? ''),
    request: async (method, path, body, given) => {
      const headers = new Headers(given)
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const text = body === undefined ? null : JSON.stringify(body)
      const url = new URL(path, baseUrl)
      const response = await openid
        .fetchProtectedResource(config, held().access_token, url, method, text, headers, { DPoP })
        .catch((error: unknown) => {
          // The library turns a challenge into an error, which holds the API's response.
          if (error instanceof openid.WWWAuthenticateChallengeError) return error.response
          throw error
        })
      const answer = await response.text()
      return { status: response.status, body: answer === '' ? {} : JSON.parse(answer) }
    },
  }
}

async function authenticationOf(client: Registered): Promise<openid.ClientAuth> {
  if (client.private_key_file === null) return openid.None()
  const jwk = JSON.parse(await readFile(client.private_key_file, 'utf8')) as JWK & { kid: string }
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  return openid.PrivateKeyJwt({ key, kid: jwk.kid })
}
