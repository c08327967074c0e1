/**
 * The library's configuration. Features that the contract rejects are off, ES256 is the only algorithm, DPoP with a
 * server nonce is required, and the checks beside this file add the rules that the library leaves open.
 */

import type { Environment } from '@financial-agents/owner-pages/view'
import type { Branding } from '@financial-agents/pages/branding'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Adapter, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Faces } from '../pages/faces.ts'
import type { Readers } from '../pages/readers.ts'
import { createGuardedFetch } from '../registration/guarded-fetch.ts'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import type { HumanGrant } from '../store/human-grants.ts'
import type { PrivateJwk } from '../store/signing-keys.ts'
import { shapeAccessToken } from './access-token.ts'
import { acr } from './acr.ts'
import { checkAssertion } from './checks/check-assertion.ts'
import { parameterChecks } from './checks/check-parameters.ts'
import { checkTarget } from './checks/check-target.ts'
import { clientMembers, getOrigins, getSector } from './client-members.ts'
import { cookieConfiguration } from './cookies.ts'
import { createDeviceFlow } from './device-flow.ts'
import { createLoadExistingGrant, findGrantOfRequest } from './grant-of-request.ts'
import * as lifetimes from './lifetimes.ts'
import type { OwnerDecisions } from './owner-decisions.ts'
import { interactionPath, paths } from './paths.ts'
import { createPrompts } from './prompts.ts'
import { createKeepRefreshToken, issuesRefreshToken, refreshTtlS } from './refresh.ts'
import { mayRevoke } from './revocation.ts'
import { showError } from './show-error.ts'

export type ConfigurationDependencies = {
  baseUrl: string
  environment: Environment
  branding?: Branding | undefined
  readers: Readers
  faces: Faces
  clock: Clock
  adapter: (model: string) => Adapter
  signingKeys: readonly PrivateJwk[]
  dpopNonceKey: Buffer
  pairwiseKey: Buffer
  findHumanGrant: (ownerId: string, clientId: string) => Promise<HumanGrant | undefined>
  findSuspension: (ownerId: string, clientId: string) => Promise<Date | undefined>
  prolongRefreshToken: (id: string, ttlS: number) => Promise<void>
  decisions: OwnerDecisions
  deviceDeclined: (ctx: KoaContextWithOIDC) => void
}

export function createConfiguration(dependencies: ConfigurationDependencies): Configuration {
  const { baseUrl, clock, pairwiseKey } = dependencies
  const subjectOf = (ctx: KoaContextWithOIDC, ownerId: string) =>
    pairwiseSubject(pairwiseKey, ctx.oidc.client ? getSector(ctx.oidc.client) : '', ownerId)
  const fetchKeys = createGuardedFetch({ anyAddress: dependencies.environment === 'local' })
  return {
    adapter: dependencies.adapter,
    jwks: { keys: dependencies.signingKeys.map((key) => ({ ...key })) },
    routes,
    cookies: cookieConfiguration(baseUrl),
    responseTypes: ['code'],
    scopes: ['openid'],
    claims: { openid: ['sub', 'acr', 'auth_time'] },
    acrValues: [acr],
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: (ctx, ownerId) => findGrantOfRequest(ctx)?.subject ?? subjectOf(ctx, ownerId),
    sectorIdentifierUriValidate: () => false,
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: { subject_type: 'pairwise', id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: Object.values(clientMembers) },
    clientBasedCORS: (ctx, origin, client) => {
      const isOwn = getOrigins(client).includes(origin)
      // The gateway lets registered origins read refusals. It does not know whose an answer is.
      if (!isOwn) ctx.set('cross-origin-resource-policy', 'same-origin')
      return isOwn
    },
    clockTolerance: lifetimes.clockToleranceS,
    fetch: (address, init = {}) => fetchKeys(new Request(address).url, init),
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256'],
      idTokenSigningAlgValues: ['ES256'],
      dPoPSigningAlgValues: ['ES256'],
    },
    ttl,
    features: { ...features(dependencies), ...rejected },
    pkce: { required: () => true },
    extraParams: parameterChecks,
    allowOmittingSingleRegisteredRedirectUri: false,
    interactions: { url: (_ctx, interaction) => interactionPath(interaction.uid), policy: createPrompts() },
    loadExistingGrant: createLoadExistingGrant({ ...dependencies, now: () => clock.now(), subjectOf }),
    findAccount: (_ctx, ownerId) => ({ accountId: ownerId, claims: async () => ({ sub: ownerId }) }),
    expiresWithSession: () => false,
    issueRefreshToken: issuesRefreshToken,
    rotateRefreshToken: createKeepRefreshToken(dependencies.prolongRefreshToken),
    revokeGrantPolicy: () => true,
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) =>
      checkAssertion(claims, baseUrl, Math.floor(Date.now() / 1_000)),
    formats: { customizers: { jwt: shapeAccessToken } },
    renderError: (ctx, out) => showError(ctx, out, dependencies),
  }
}

const routes = {
  authorization: paths.authorization,
  pushed_authorization_request: paths.pushedRequest,
  token: paths.token,
  revocation: paths.revocation,
  device_authorization: paths.deviceAuthorization,
  code_verification: paths.device,
  jwks: paths.jwks,
}

const ttl = {
  AccessToken: lifetimes.accessTokenTtlS,
  AuthorizationCode: lifetimes.codeTtlS,
  ClientCredentials: lifetimes.accessTokenTtlS,
  DeviceCode: lifetimes.deviceCodeTtlS,
  IdToken: lifetimes.idTokenTtlS,
  Interaction: lifetimes.interactionTtlS,
  RefreshToken: refreshTtlS,
  Session: lifetimes.sessionIdleS,
}

function features(dependencies: ConfigurationDependencies) {
  const { baseUrl } = dependencies
  return {
    clientCredentials: { enabled: true },
    deviceFlow: createDeviceFlow({ ...dependencies, declined: dependencies.deviceDeclined }),
    dPoP: { enabled: true, nonceSecret: dependencies.dpopNonceKey, requireNonce: () => true },
    fapi: { enabled: true, profile: '2.0' as const },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => baseUrl,
      getResourceServerInfo: (ctx: KoaContextWithOIDC, resource: string, client: Client) =>
        checkTarget(ctx, resource, client, baseUrl),
    },
    revocation: { enabled: true, allowedPolicy: mayRevoke },
  }
}

const off = { enabled: false }

/** Each of these would bypass a rule, or is not needed. */
const rejected = {
  backchannelLogout: off,
  claimsParameter: off,
  devInteractions: off,
  encryption: off,
  introspection: off,
  jwtIntrospection: off,
  jwtResponseModes: off,
  jwtUserinfo: off,
  registration: off,
  requestObjects: off,
  rpInitiatedLogout: off,
  userinfo: off,
}
