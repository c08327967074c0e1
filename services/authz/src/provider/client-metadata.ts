/**
 * Converts a registration to the library's metadata: the contract's table of client profiles, one row each.
 *
 * Invariant: a profile has exactly the grants and controls of its row. Every client's tokens are bound to a DPoP key.
 */

import type { AdapterPayload } from 'oidc-provider'
import { type Registration, sectorOf } from '../registration/registration.ts'
import type { Client } from '../store/clients.ts'
import { clientMembers } from './client-members.ts'

type Row<Profile> = (registration: Extract<Registration, { profile: Profile }>) => Record<string, unknown>

const privateKeyJwt = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256' }
const noSecret = { token_endpoint_auth_method: 'none' }
const codeGrants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
const noRedirects = { response_types: [], redirect_uris: [] }

// The library cannot assign a sector to a client without redirects. Its tokens get their subject where they are made.
const subjectSetByUs = { subject_type: 'public' }

/**
 * Our own function computes the pairwise subject. If redirects have several hosts, the library requires a sector
 * address and would fetch it. The configuration disables that, and nothing else reads this address.
 */
const pairwise = { subject_type: 'pairwise', sector_identifier_uri: 'https://sector.invalid/' }

const profiles: { readonly [Profile in Registration['profile']]: Row<Profile> } = {
  web: ({ redirect_uris, jwks, jwks_uri }) => ({
    ...codeGrants,
    ...privateKeyJwt,
    ...pairwise,
    ...defined({ jwks, jwks_uri }),
    application_type: 'web',
    redirect_uris,
    require_pushed_authorization_requests: true,
  }),
  spa: ({ redirect_uris, origins }) => ({
    ...codeGrants,
    ...noSecret,
    ...pairwise,
    application_type: 'web',
    redirect_uris,
    [clientMembers.origins]: origins,
  }),
  // The loopback redirects of a native application match any port.
  native: ({ redirect_uris }) => ({
    ...codeGrants,
    ...noSecret,
    ...pairwise,
    application_type: 'native',
    redirect_uris,
  }),
  device: () => ({
    ...noRedirects,
    ...noSecret,
    ...subjectSetByUs,
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  }),
  service: ({ jwks, jwks_uri }) => ({
    ...noRedirects,
    ...privateKeyJwt,
    ...subjectSetByUs,
    ...defined({ jwks, jwks_uri }),
    grant_types: ['client_credentials'],
  }),
}

/** Returns undefined for a client that is not active, so the library knows no such client. */
export function clientMetadata({ registration, status, service_grant }: Client): AdapterPayload | undefined {
  if (status !== 'active') return undefined
  const row = profiles[registration.profile] as Row<Registration['profile']>
  return {
    ...row(registration),
    client_id: registration.client_id,
    client_name: registration.name,
    dpop_bound_access_tokens: true,
    // The member `scope` cannot be used: it may contain only scopes that do not belong to a resource.
    [clientMembers.ceiling]: registration.scopes,
    [clientMembers.sector]: sectorOf(registration),
    ...(service_grant ? { [clientMembers.serviceGrant]: service_grant } : {}),
  }
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
