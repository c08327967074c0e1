/**
 * How the library is set up: what the contract rejects is off, ES256 is the only algorithm, DPoP with a server nonce is
 * required, and the rules that it leaves open are the checks beside this file.
 */

import { type Adapter, type Configuration, errors } from 'oidc-provider'
import type { PrivateJwk } from '../store/signing-keys.ts'
import { shapeAccessToken } from './access-token.ts'
import { checkAssertion } from './check-assertion.ts'
import { checkTarget } from './check-target.ts'
import { accessTokenTtlS, clockToleranceS } from './lifetimes.ts'
import { paths } from './paths.ts'
import { clientMembers } from './service-account.ts'

export type ConfigurationParts = {
  baseUrl: string
  adapter: (model: string) => Adapter
  signingKeys: readonly PrivateJwk[]
  dpopNonceKey: Buffer
}

const off = { enabled: false }

export function createConfiguration({
  baseUrl,
  adapter,
  signingKeys,
  dpopNonceKey,
}: ConfigurationParts): Configuration {
  return {
    adapter,
    jwks: { keys: signingKeys.map((key) => ({ ...key })) },
    routes: { authorization: paths.authorization, token: paths.token, jwks: paths.jwks },
    responseTypes: [],
    scopes: [],
    subjectTypes: ['public', 'pairwise'],
    clientAuthMethods: ['private_key_jwt'],
    clientDefaults: { subject_type: 'pairwise', id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: Object.values(clientMembers) },
    clientBasedCORS: () => false,
    clockTolerance: clockToleranceS,
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256'],
      idTokenSigningAlgValues: ['ES256'],
      dPoPSigningAlgValues: ['ES256'],
    },
    ttl: { ClientCredentials: accessTokenTtlS },
    features: {
      clientCredentials: { enabled: true },
      dPoP: { enabled: true, nonceSecret: dpopNonceKey, requireNonce: () => true },
      fapi: { enabled: true, profile: '2.0' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        getResourceServerInfo: (ctx, resource, client) => checkTarget(ctx, resource, client, baseUrl),
      },
      backchannelLogout: off,
      claimsParameter: off,
      deviceFlow: off,
      devInteractions: off,
      encryption: off,
      introspection: off,
      jwtIntrospection: off,
      jwtResponseModes: off,
      jwtUserinfo: off,
      pushedAuthorizationRequests: off,
      registration: off,
      requestObjects: off,
      revocation: off,
      rpInitiatedLogout: off,
      userinfo: off,
    },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) =>
      checkAssertion(claims, baseUrl, Math.floor(Date.now() / 1_000)),
    formats: { customizers: { jwt: (_ctx, token, parts) => shapeAccessToken(token, parts) } },
    renderError: (ctx, out) => {
      ctx.body = out
    },
    findAccount: () => {
      throw new errors.InvalidRequest('no account signs in here')
    },
  }
}
