/**
 * Sign-in at a provider that is an OpenID provider: the authorization code flow with PKCE (S256), `state`, `nonce` and `iss`,
 * pushed where the issuer takes pushed requests. The redirect URI is the return address without its query. `state` is the
 * `state` of the return address, so authz finds the browser by the same value as for a hosted page.
 *
 * Invariant: `approved` needs an ID token that the issuer signed for this client and for this very start, about a person who
 * signed in after it. The code, the tokens and the verifier are in no other result, error or log.
 */

import {
  isLocale,
  isTimezone,
  type PolledDeviceAuthentication,
  type ProviderCustomer,
  type StartedDeviceAuthentication,
} from '@financial-agents/provider-port/device-authentication'
import type { Provider } from '@financial-agents/provider-port/port'
import type * as Openid from 'openid-client'
import { z } from 'zod'
import { failureOf } from './failures.ts'
import { createIssuer } from './issuer.ts'
import type { OpenidOptions } from './variables.ts'

export type OpenidSignIn = Pick<Provider, 'startDeviceAuthentication' | 'pollDeviceAuthentication' | 'close'>

/** The time that a person has, as for a hosted page. */
const lifetimeMs = 600_000
/** The oldest sign-in of the person, in seconds, when the code is exchanged. */
const maxAgeS = lifetimeMs / 1_000
/** The difference between the clock of the issuer and ours, in seconds. */
const clockToleranceS = 60

/** The secrets of a start, which onboarding keeps sealed. */
const startShape = z.object({
  redirectUri: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAtS: z.number(),
})
type Start = z.infer<typeof startShape>

/** The API's form of credentials; `libs/provider/http` has it for a provider's own sign-in. */
const credentialsPattern = /^[\x21-\x7e]{1,8192}$/
const referencePattern = /^[\x21-\x7e]{1,200}$/

export function createOpenidSignIn(options: OpenidOptions): OpenidSignIn {
  const issuer = createIssuer(options)
  return {
    startDeviceAuthentication: ({ returnUrl, timeoutMs }) =>
      issuer
        .use(timeoutMs, (client, openid) => begin(client, openid, options, returnUrl))
        .catch((error: unknown): StartedDeviceAuthentication => {
          const failure = failureOf(error)
          return { type: 'unavailable', reason: failure.type === 'unavailable' ? failure.reason : 'provider_refused' }
        }),
    pollDeviceAuthentication: async ({ authentication, response, timeoutMs }) => {
      if (response === undefined) return { type: 'pending' }
      const start = startShape.parse(JSON.parse(authentication))
      return issuer
        .use(timeoutMs, (client, openid) => finish(client, openid, options, start, response))
        .catch((error: unknown) => failureOf(error))
    },
    close: () => issuer.close(),
  }
}

async function begin(
  client: Openid.Configuration,
  openid: typeof Openid,
  { scope }: OpenidOptions,
  returnUrl: string,
): Promise<StartedDeviceAuthentication> {
  const address = new URL(returnUrl)
  const state = address.searchParams.get('state')
  if (state === null) throw new Error('the return address has no state')
  address.search = ''
  const start: Start = {
    redirectUri: address.href,
    state,
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    startedAtS: Math.floor(Date.now() / 1_000),
  }
  const parameters = {
    redirect_uri: start.redirectUri,
    scope,
    state,
    nonce: start.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(start.verifier),
    code_challenge_method: 'S256',
    // The person signs in anew each time. The issuer gives a refresh token only with the person's consent.
    prompt: scope.split(' ').includes('offline_access') ? 'login consent' : 'login',
    max_age: String(maxAgeS),
  }
  const isPushed = client.serverMetadata().pushed_authorization_request_endpoint !== undefined
  const page = isPushed
    ? await openid.buildAuthorizationUrlWithPAR(client, parameters)
    : openid.buildAuthorizationUrl(client, parameters)
  return {
    type: 'started',
    authentication: JSON.stringify(start),
    hostedUrl: page.href,
    expiresAt: new Date(Date.now() + lifetimeMs),
  }
}

async function finish(
  client: Openid.Configuration,
  openid: typeof Openid,
  options: OpenidOptions,
  start: Start,
  response: string,
): Promise<PolledDeviceAuthentication> {
  const back = new URL(start.redirectUri)
  back.search = response
  const tokens = await openid.authorizationCodeGrant(client, back, {
    expectedState: start.state,
    expectedNonce: start.nonce,
    pkceCodeVerifier: start.verifier,
    idTokenExpected: true,
    maxAge: maxAgeS,
  })
  const claims = tokens.claims()
  // If the issuer accepted an older sign-in despite `prompt`, it is unknown who uses this browser now.
  if (!claims || (claims.auth_time ?? 0) < start.startedAtS - clockToleranceS) return refused('SIGNED_IN_BEFORE')
  const customer = customerOf(claims, options.customerClaim)
  if (customer === undefined) return refused('NO_CUSTOMER_CLAIM')
  const credentials = tokens[options.credentials]
  if (credentials === undefined || !credentialsPattern.test(credentials) || tokens.token_type !== 'bearer')
    return refused('NO_USABLE_TOKEN')
  return { type: 'approved', credentials, customer }
}

function refused(reason: string): PolledDeviceAuthentication {
  return { type: 'refused', reason }
}

/** Reads the customer from the ID token only, because nothing else was signed for this sign-in. */
function customerOf(claims: Openid.IDToken, claim: string): ProviderCustomer | undefined {
  const reference = claims[claim]
  if (typeof reference !== 'string' || !referencePattern.test(reference)) return undefined
  const { name, locale, zoneinfo } = claims
  return {
    reference,
    display_name: typeof name === 'string' && /^\P{Cc}{1,200}$/u.test(name) ? name.toWellFormed() : null,
    locale: typeof locale === 'string' && locale.length <= 100 && isLocale(locale) ? locale : 'en',
    timezone: typeof zoneinfo === 'string' && isTimezone(zoneinfo) ? zoneinfo : 'UTC',
  }
}
