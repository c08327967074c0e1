/**
 * An application that a person signs in to, as its engineers would write it: openid-client for authorization, tokens, devices
 * and every DPoP proof. Used by `pnpm sign-in` and the tests of the pages.
 */

import { readFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import * as openid from 'openid-client'

/** As in `stack.json`. */
export type Registered = {
  client_id: string
  scopes: readonly string[]
  /** A private JWK; null for a public client. */
  private_key_file: string | null
}

/** An authorization request, and what must come back with its answer. */
export type AuthorizationRequest = { url: URL; checks: openid.AuthorizationCodeGrantChecks }

/** What the API answered an application. */
export type ApplicationResponse = {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads from the wire has no type of ours
  body: { [member: string]: any }
}

/** An application with its keys and, once a person has decided, its tokens. */
export type ApplicationClient = {
  /** Where the person's browser is to be sent. Confidential clients push the request first. */
  authorize(redirectUri: string, parameters?: Record<string, string>): Promise<AuthorizationRequest>
  /** Redeems the code of an answer; later requests use the tokens. Throws with the OAuth error that the answer holds. */
  redeem(answer: URL, request: AuthorizationRequest): Promise<{ scope: string; subject: string | undefined }>
  /** Asks for a code that the person enters elsewhere. */
  startDevice(scope: string): Promise<openid.DeviceAuthorizationResponse>
  /** Waits until the person has decided; later requests use the tokens. */
  pollDevice(started: openid.DeviceAuthorizationResponse, signal?: AbortSignal): Promise<{ scope: string }>
  /** New tokens for the refresh token in hand. */
  refresh(): Promise<void>
  /** Gives the grant up, with the refresh token in hand. */
  revoke(): Promise<void>
  /** One protected request. */
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
          // The library makes an error of a challenge; the API's own words are in its response.
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
