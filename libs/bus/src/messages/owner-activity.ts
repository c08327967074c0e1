/** What an owner's account page shows of operations: never a payload. */

import type { OperationKind, ResourceType } from '@financial-agents/operation-machine/kinds'
import type { OperationState } from '@financial-agents/operation-machine/machine'

/** An operation as its owner sees it, whichever client asked for it. */
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

/** What is under way for an owner, and what each grant did last. */
export type OwnerActivity = {
  /** Operations that have no outcome yet, newest first, at most 100. */
  in_flight: OwnerOperation[]
  /** The latest operation of each grant. */
  latest: OwnerOperation[]
}
