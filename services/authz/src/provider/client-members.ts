/**
 * The members of our clients that the library does not know. They travel with the client's metadata, so a request reads
 * a client once.
 */

import type { Client } from 'oidc-provider'

export type ServiceGrant = { grant_id: string; owner_id: string; subject: string }

type GrantWithStatus = ServiceGrant & { status: 'active' | 'suspended' }

/** The names of these members in the library's configuration. */
export const clientMembers = {
  ceiling: 'scope_ceiling',
  sector: 'subject_sector',
  origins: 'browser_origins',
  serviceGrant: 'service_grant',
} as const

/** Returns every scope that the client may get, including openid. */
export function getCeiling(client: Client): readonly string[] {
  return (client[clientMembers.ceiling] as string[] | undefined) ?? []
}

/** Returns the sector within which an owner has the same subject. */
export function getSector(client: Client): string {
  return String(client[clientMembers.sector])
}

/** Returns the origins from which the client's browsers may request tokens. */
export function getOrigins(client: Client): readonly string[] {
  return (client[clientMembers.origins] as string[] | undefined) ?? []
}

/**
 * Returns the active grant of a service account. Undefined if the grant is revoked or suspended, and for every other
 * client.
 */
export function findServiceGrant(client: Client): ServiceGrant | undefined {
  const known = knownGrant(client)
  return known?.status === 'active' ? known : undefined
}

/** Returns true if the grant of a service account is suspended. */
export function isSuspended(client: Client): boolean {
  return knownGrant(client)?.status === 'suspended'
}

function knownGrant(client: Client): GrantWithStatus | undefined {
  return client[clientMembers.serviceGrant] as GrantWithStatus | undefined
}

export function isPublic(client: Client): boolean {
  return client.tokenEndpointAuthMethod === 'none'
}
