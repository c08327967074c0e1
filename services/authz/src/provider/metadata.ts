/**
 * The published metadata. What the library says of itself is narrowed to what is offered: an endpoint, grant or response
 * type that a client could not use is not in it.
 */

import { scopeNames } from '@financial-agents/contract/scopes'

/** Members that belong to the authorization endpoint and to ID tokens, neither of which any registered client may use yet. */
const notOffered = new Set([
  'authorization_endpoint',
  'authorization_response_iss_parameter_supported',
  'claims_supported',
  'claim_types_supported',
  'claims_parameter_supported',
  'code_challenge_methods_supported',
  'id_token_signing_alg_values_supported',
  'request_uri_parameter_supported',
  'response_modes_supported',
])

/** RFC 8414 metadata of the authorization server. */
export function narrowMetadata(body: Readonly<Record<string, unknown>>, baseUrl: string): Record<string, unknown> {
  const offered = Object.entries(body).filter(([name]) => !notOffered.has(name))
  return {
    ...Object.fromEntries(offered),
    response_types_supported: [],
    scopes_supported: scopeNames,
    // To the library some clients are "public"; every subject that leaves in a token is pairwise.
    subject_types_supported: ['pairwise'],
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
