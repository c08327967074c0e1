/** What a client of ours has beside what the library knows of clients; it rides along, so that a request reads a client once. */

import type { Client } from 'oidc-provider'

export type ServiceGrant = { grant_id: string; owner_id: string; subject: string }

type Known = ServiceGrant & { status: 'active' | 'suspended' }

/** The members' names, as the library's configuration names them. */
export const clientMembers = {
  ceiling: 'scope_ceiling',
  sector: 'subject_sector',
  origins: 'browser_origins',
  serviceGrant: 'service_grant',
} as const

/** Every scope that a client may be given, openid included. */
export function getCeiling(client: Client): readonly string[] {
  return (client[clientMembers.ceiling] as string[] | undefined) ?? []
}

/** Within which its owners' subjects are the same. */
export function getSector(client: Client): string {
  return String(client[clientMembers.sector])
}

/** From which its browsers may ask for tokens. */
export function getOrigins(client: Client): readonly string[] {
  return (client[clientMembers.origins] as string[] | undefined) ?? []
}

/** The grant of a service account; undefined where it was revoked or suspended, and for every other client. */
export function findServiceGrant(client: Client): ServiceGrant | undefined {
  const known = knownGrant(client)
  return known?.status === 'active' ? known : undefined
}

/** Whether the grant of a service account is suspended. */
export function isSuspended(client: Client): boolean {
  return knownGrant(client)?.status === 'suspended'
}

function knownGrant(client: Client): Known | undefined {
  return client[clientMembers.serviceGrant] as Known | undefined
}

export function isPublic(client: Client): boolean {
  return client.tokenEndpointAuthMethod === 'none'
}
