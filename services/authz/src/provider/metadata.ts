/**
 * The published metadata. The library's own metadata is reduced to the features that are offered, and completed with
 * those it omits. An endpoint, grant or mode that a client could not use is left out.
 */

import { scopeNames } from '@financial-agents/contract/scopes'

/** Members whose absence has the same meaning, and one that is set below. */
const leftOut = new Set([
  'claims_parameter_supported',
  'claim_types_supported',
  'require_pushed_authorization_requests',
])

const confidential = ['private_key_jwt']

/** RFC 8414 metadata of the authorization server. */
export function narrowMetadata(body: Readonly<Record<string, unknown>>, baseUrl: string): Record<string, unknown> {
  const offered = Object.entries(body).filter(([name]) => !leftOut.has(name))
  return {
    ...Object.fromEntries(offered),
    scopes_supported: ['openid', ...scopeNames],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr'],
    response_modes_supported: ['query', 'form_post'],
    prompt_values_supported: ['none', 'login', 'consent'],
    // The library calls the subjects of some clients "public", but every subject in a token is pairwise.
    subject_types_supported: ['pairwise'],
    token_endpoint_auth_methods_supported: ['none', ...confidential],
    revocation_endpoint_auth_methods_supported: confidential,
    revocation_endpoint_auth_signing_alg_values_supported: ['ES256'],
    // This is stated because the default of OpenID Connect is true.
    request_uri_parameter_supported: false,
    request_parameter_supported: false,
    protected_resources: [baseUrl],
  }
}

/** RFC 9728 metadata of the one protected resource. */
export function protectedResourceMetadata(baseUrl: string): Record<string, unknown> {
  return {
    resource: baseUrl,
    authorization_servers: [baseUrl],
    scopes_supported: scopeNames,
    // No RFC 6750 method: tokens are accepted only with a DPoP proof.
    bearer_methods_supported: [],
    dpop_signing_alg_values_supported: ['ES256'],
    dpop_bound_access_tokens_required: true,
    resource_name: 'Financial Agents API',
  }
}
