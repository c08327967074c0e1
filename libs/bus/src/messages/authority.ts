/** Grants, bindings, fences and the feed that tells gateways what changed. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { FenceTarget } from '@financial-agents/operation-machine/kinds'

/** What the gateway needs to know of a grant; read afresh after every change that the feed announces. */
export type GrantView = {
  grant_id: string
  client_id: string
  owner_id: string
  /** Pairwise subject. */
  subject: string
  /** `active` only where grant and client both are, and `expires_at` is to come. */
  status: 'active' | 'inactive'
  /** When a human grant ends unless an authorization extends it; null for the grant of a service account. */
  expires_at: string | null
  scopes: string[]
  /** Ceilings and confirmations, as they hold now. */
  policy: GrantPolicy
  /** A service account acts over the one connection that was fixed when it was declared. */
  is_service: boolean
  /** The connection that the grant acts over; null where it is not there, or not any more. */
  binding_id: string | null
}

/** A client that holds a grant of an owner, by the name that the owner knows. */
export type OwnerClient = { client_id: string; name: string }

/** A client that holds a grant of an owner, with those of its grants that are active now. */
export type GrantedClient = OwnerClient & {
  /** `created_at`: when the owner gave it, RFC 3339. */
  active_grants: { grant_id: string; created_at: string }[]
}

/** How an owner wants to be shown things: BCP 47 and IANA names. */
export type OwnerIdentity = { display_name: string | null; locale: string; timezone: string }

/** On `evt.grants`. A gap in a publisher's sequence means: forget everything and read again. */
export type GrantFeedMessage = {
  /** Random at each start of a publisher. */
  publisher: string
  sequence: number
  /** Null: a heartbeat. */
  change: { grant_id: string } | { client_id: string } | { owner_id: string } | null
}

/** A connection of an owner to a provider. */
export type Binding = {
  binding_id: string
  owner_id: string
  status: 'connected' | 'disconnecting' | 'disconnected'
  /** What the connection is called to the owner. */
  provider_name: string
  /** Made by the owner's connecting, or declared by an operator. */
  source: 'declared' | 'sign_in'
  connected_at: string
}

/** Sealed by onboarding in the context of the binding id; opened by submitter and reconciler. */
export type SealedCredentials = { binding_id: string; credentials_sealed: string }

/** What the submitter shall submit nothing more for, and why. */
export type FenceRequest = {
  target: FenceTarget
  target_id: string
  reason: string
  /**
   * Counts up with each change of what is wanted: a request older than the newest one heard changes nothing. Without it a
   * request is taken as it comes.
   */
  version?: number
}
/** Lifts a fence, unless a newer request set it. */
export type UnfenceRequest = Pick<FenceRequest, 'target' | 'target_id' | 'version'>
/** The fence is committed; these operations had been claimed before it. */
export type FenceResponse = { open_operation_ids: string[] }
