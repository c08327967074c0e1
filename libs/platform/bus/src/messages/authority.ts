/** Grants, bindings, fences, and the feed that tells gateways about changes. */

import type { FenceTarget } from '@financial-agents/contract/kinds'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { AcceptedOperation } from './operations.ts'

/** The gateway's view of a grant. The gateway reads it again after every change that the feed announces. */
export type GrantView = {
  grant_id: string
  client_id: string
  owner_id: string
  /** Pairwise subject. */
  subject: string
  /** `active` if the grant and its client are active, and `expires_at` is in the future. */
  status: 'active' | 'inactive'
  /** The time at which a human grant ends, unless an authorization extends it; null for the grant of a service account. */
  expires_at: string | null
  scopes: string[]
  /** The present ceilings and confirmations. */
  policy: GrantPolicy
  /** True for a service account. Its only connection was fixed when the service account was declared. */
  is_service: boolean
  /** The connection that the grant uses; null if it does not exist or no longer exists. */
  binding_id: string | null
}

/** A client that holds a grant of an owner, with the name that the owner knows. */
export type OwnerClient = { client_id: string; name: string }

/** A client that holds a grant of an owner, with its active grants. */
export type GrantedClient = OwnerClient & {
  /** `created_at`: the time at which the owner gave the grant, RFC 3339. */
  active_grants: { grant_id: string; created_at: string }[]
}

/** `locale` is a BCP 47 tag, `timezone` an IANA name. */
export type OwnerIdentity = { display_name: string | null; locale: string; timezone: string }

/** A message on `evt.grants`. After a gap in a publisher's sequence, the receiver forgets all grants and reads them again. */
export type GrantFeedMessage = {
  /** A random id for each start of a publisher. */
  publisher: string
  sequence: number
  /** Null in a heartbeat. */
  change: { grant_id: string } | { client_id: string } | { owner_id: string } | null
}

/** A connection of an owner to a provider. */
export type Binding = {
  binding_id: string
  owner_id: string
  status: 'connected' | 'disconnecting' | 'disconnected'
  /** The provider's name, as the owner reads it. */
  provider_name: string
  /** `sign_in`: the owner connected. `declared`: an operator declared the binding. */
  source: 'declared' | 'sign_in'
  connected_at: string
}

/** Credentials that onboarding sealed with the binding id as the context. The services that call the provider open them. */
export type SealedCredentials = { binding_id: string; provider: string; credentials_sealed: string }

/** Fences a target: afterwards the submitter claims no operation that this fence stops. `reason` is recorded. */
export type FenceRequest = {
  target: FenceTarget
  target_id: string
  reason: string
  /** Grows with each change of the wanted state. A request whose version is not newer than the newest received one changes nothing. */
  version: number
}
/** Lifts a fence, unless a newer request set it. */
export type UnfenceRequest = Pick<FenceRequest, 'target' | 'target_id' | 'version'>
/** The answer after the fence is committed. The operations were claimed before it, and their attempts are still open. */
export type FenceResponse = { open_operation_ids: string[] }

/** Asks which of these operations a fence stops. */
export type StoppedRequest = {
  operations: Pick<
    AcceptedOperation,
    'operation_id' | 'kind' | 'grant_id' | 'client_id' | 'binding_id' | 'mandate_id'
  >[]
}

export type Fenced = { target: FenceTarget; target_id: string }
