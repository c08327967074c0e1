/** The operations on an owner's account page. Never a payload. */

import type { OperationKind, ResourceType } from '@financial-agents/operation-machine/kinds'
import type { OperationState } from '@financial-agents/operation-machine/machine'

/** An operation as its owner sees it, from any client. */
export type OwnerOperation = {
  operation_id: string
  client_id: string
  grant_id: string
  kind: OperationKind
  state: OperationState
  resource_type: ResourceType
  submission_uncertain: boolean
  created_at: string
  updated_at: string
}

/** An owner's operations in flight, and the latest operation of each grant. */
export type OwnerActivity = {
  /** The operations without an outcome, newest first, at most 100. */
  in_flight: OwnerOperation[]
  /** The latest operation of each grant. */
  latest: OwnerOperation[]
}
