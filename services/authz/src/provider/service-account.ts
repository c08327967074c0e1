/**
 * A service account as the library sees it: client credentials alone, `private_key_jwt` with ES256, tokens bound to a DPoP
 * key. Its ceiling, grant and pairwise subject ride along, so that a token costs one read of the client.
 */

import type { AdapterPayload, Client } from 'oidc-provider'
import type { ServiceAccount } from '../store/clients.ts'

export type ServiceGrant = { grant_id: string; subject: string }

/** Members of our own on a client, as the library's configuration names them. */
export const clientMembers = { ceiling: 'scope_ceiling', serviceGrant: 'service_grant' } as const

export function serviceAccountMetadata({ registration, grant_id, subject }: ServiceAccount): AdapterPayload {
  const own = {
    // Not the member `scope`: that one may name only scopes which are not those of a resource.
    [clientMembers.ceiling]: registration.scopes,
    ...(grant_id && subject ? { [clientMembers.serviceGrant]: { grant_id, subject } satisfies ServiceGrant } : {}),
  }
  return {
    client_id: registration.client_id,
    client_name: registration.name,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    dpop_bound_access_tokens: true,
    // The library cannot place a client without redirects in a sector; the token's subject is set where it is made.
    subject_type: 'public',
    ...(registration.jwks ? { jwks: registration.jwks } : {}),
    ...(registration.jwks_uri ? { jwks_uri: registration.jwks_uri } : {}),
    ...own,
  }
}

/** Every scope that a client may be given. */
export function getCeiling(client: Client): readonly string[] {
  return (client[clientMembers.ceiling] as string[] | undefined) ?? []
}

/** The grant of a service account; undefined where it was revoked. */
export function findServiceGrant(client: Client): ServiceGrant | undefined {
  return client[clientMembers.serviceGrant] as ServiceGrant | undefined
}
