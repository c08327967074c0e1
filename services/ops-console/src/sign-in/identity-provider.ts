/**
 * The organisation's own OpenID provider: code flow with PKCE, state and nonce. The ID token's signature is checked
 * even though the token comes directly from the provider. The provider's metadata is read once an hour.
 *
 * Invariant: the result is either an operator whose ID token was issued to us for this very sign-in, or a refusal. No
 * error contains a token or a code.
 */

import type { Operator } from '@financial-agents/bus/rpc'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import * as openid from 'openid-client'
import type { ConsoleConfig } from '../config.ts'

export type IdentityProviderConfig = Pick<
  ConsoleConfig,
  | 'OPERATOR_IDP_ISSUER'
  | 'OPERATOR_IDP_CLIENT_ID'
  | 'OPERATOR_IDP_CLIENT_SECRET'
  | 'OPERATOR_IDP_SCOPES'
  | 'OPERATOR_GROUPS_CLAIM'
>

/** The reason why nobody is signed in: the operator went back, or the provider's response is invalid. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed'
  readonly reason: 'declined' | 'invalid_response'

  constructor(reason: SignInFailed['reason'], cause: unknown) {
    super(`the identity provider did not sign in: ${reason}`, { cause })
    this.reason = reason
  }
}

export type Checks = { state: string; nonce: string; verifier: string }

export type IdentityProvider = {
  /** Returns the address to which the browser goes, and the values that check its return. @throws Unavailable */
  begin(): Promise<{ url: string; checks: Checks }>
  /** Returns the operator who came back by `target` (path and query). @throws SignInFailed, Unavailable */
  finish(target: string, checks: Checks): Promise<{ operator: Operator; groups: unknown }>
}

const metadataMs = 3_600_000
const timeoutS = 5
const maxNameChars = 200

export function createIdentityProvider(
  config: IdentityProviderConfig,
  baseUrl: string,
  clock: Clock,
): IdentityProvider {
  const cache = createExpiringCache<openid.Configuration>({ clock, ttlMs: metadataMs, maxEntries: 1 })
  const configuration = () =>
    cache
      .get('metadata', () => discover(config))
      .catch((cause: unknown) => {
        throw new Unavailable('the identity provider is out of reach', { cause })
      })
  return {
    begin: async () => {
      const provider = await configuration()
      const checks = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      }
      const url = openid.buildAuthorizationUrl(provider, {
        redirect_uri: `${baseUrl}/ops/signed-in`,
        scope: config.OPERATOR_IDP_SCOPES,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },
    finish: async (target, { state, nonce, verifier }) => {
      const given = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const provider = await configuration()
      const tokens = await openid.authorizationCodeGrant(provider, new URL(target, baseUrl), given).catch(explain)
      const claims = tokens.claims()
      if (!claims) throw new SignInFailed('invalid_response', new Error('there is no ID token'))
      const name = [claims['name'], claims['preferred_username']].find((value) => typeof value === 'string')
      // The name is shortened because every token carries it, in a header of limited size.
      return {
        operator: { id: claims.sub, name: name?.slice(0, maxNameChars).toWellFormed() ?? null },
        groups: claims[config.OPERATOR_GROUPS_CLAIM],
      }
    },
  }
}

async function discover(config: IdentityProviderConfig): Promise<openid.Configuration> {
  const { OPERATOR_IDP_ISSUER: issuer, OPERATOR_IDP_CLIENT_SECRET: secret } = config
  const insecure = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
  const options = { timeout: timeoutS, execute: [...insecure, openid.enableNonRepudiationChecks] }
  const found = await openid.discovery(new URL(issuer), config.OPERATOR_IDP_CLIENT_ID, undefined, undefined, options)
  const authentication = authenticationOf(found.serverMetadata(), secret)
  const provider = new openid.Configuration(
    found.serverMetadata(),
    config.OPERATOR_IDP_CLIENT_ID,
    undefined,
    authentication,
  )
  provider.timeout = timeoutS
  for (const extend of options.execute) extend(provider)
  return provider
}

/** Sends the secret in the body, unless the provider accepts it only in the header. */
function authenticationOf(metadata: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret)
}

const outages = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** Translates the library's errors into their meaning for the operator. */
function explain(error: unknown): never {
  if (error instanceof openid.AuthorizationResponseError)
    throw error.error === 'temporarily_unavailable' || error.error === 'server_error'
      ? new Unavailable('the identity provider is out of order', { cause: error })
      : new SignInFailed('declined', error)
  const { code } = error as { code?: string }
  // A failed fetch is a TypeError without a code. A TypeError with a code means that the library was used wrongly.
  const unreachable = error instanceof TypeError && code === undefined
  if (unreachable || (code !== undefined && outages.has(code)))
    throw new Unavailable('the identity provider is out of reach', { cause: error })
  throw new SignInFailed('invalid_response', error)
}
