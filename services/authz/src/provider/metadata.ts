/**
 * The published metadata. What the library says of itself is narrowed to what is offered, and what it leaves out is said:
 * an endpoint, grant or mode that a client could not use is not in it.
 */

import { scopeNames } from '@financial-agents/contract/scopes'

/** Members whose absence says the same, and one that is said below. */
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
    // To the library some clients are "public"; every subject that leaves in a token is pairwise.
    subject_types_supported: ['pairwise'],
    token_endpoint_auth_methods_supported: ['none', ...confidential],
    revocation_endpoint_auth_methods_supported: confidential,
    revocation_endpoint_auth_signing_alg_values_supported: ['ES256'],
    // Said, because the default for OpenID Connect is true.
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
    // RFC 6750 methods: none, tokens are only taken with a DPoP proof.
    bearer_methods_supported: [],
    dpop_signing_alg_values_supported: ['ES256'],
    dpop_bound_access_tokens_required: true,
    resource_name: 'Financial Agents API',
  }
}
