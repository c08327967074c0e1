/** An application's access as its owner sees it, and the reasons of a suspension that the pages tell apart. */

import type { ClientProfile, GrantPolicy } from '@financial-agents/contract/schemas/authorization'

export type GrantOfOwner = {
  grant_id: string
  kind: 'human' | 'service'
  client_id: string
  client_name: string
  /** The publisher as the operator declared it. */
  publisher?: { name: string; verified: boolean } | undefined
  /** The owner's own name for the application. */
  label: string | null
  profile: ClientProfile
  client_status: 'active' | 'suspended'
  scopes: string[]
  openid: boolean
  status: 'active' | 'suspended' | 'revoked' | 'expired'
  status_reason: string | null
  status_changed_at: Date
  /** The operator's words for the owner, if an operator suspended it and left some. */
  suspended_for_owner: string | null
  policy: GrantPolicy
  created_at: Date
  /** Null for the grant of a service account. */
  expires_at: Date | null
  /** The connection of a service account, after it is fixed. */
  binding_id: string | null
  /** The time of the client's last access token. A token lasts five minutes. */
  last_used_at: Date | null
}

/**
 * The reason of the suspension of a client's grants when the client is no longer registered. It is the only reason after
 * which a grant may be resumed.
 */
export const clientNotRegistered = 'client_not_registered'

/** The reason of a suspension by the owner on the pages. */
export const pausedByOwner = 'paused_by_owner'
