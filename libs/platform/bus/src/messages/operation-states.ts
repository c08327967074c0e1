/** The state of an operation as its client sees it, for the service that sends notifications. Never a payload. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'

/** The state in the customer's view of an operation, without the other fields. */
export type OperationStateView = {
  operation_id: string
  owner_id: string
  client_id: string
  kind: OperationKind
  state: OperationState
  submission_uncertain: boolean
  /** The sequence of the transition that led to the state. */
  sequence: number
  /** RFC 3339. */
  updated_at: string
}

/** Asks for a page of changes. `after` is the last change of the page before; if null, the page begins at `since`. */
export type ChangedRequest = {
  since: string
  after: { updated_at: string; operation_id: string } | null
  limit: number
}
