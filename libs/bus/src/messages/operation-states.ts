/** The state of an operation as its client sees it, for who notifies of it: never a payload. */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { OperationState } from '@financial-agents/operation-machine/machine'

/** The customer's view of an operation, cut to its state. */
export type OperationStateView = {
  operation_id: string
  owner_id: string
  client_id: string
  kind: OperationKind
  state: OperationState
  submission_uncertain: boolean
  /** Of the transition that led there. */
  sequence: number
  /** RFC 3339. */
  updated_at: string
}

/** `after`: the last one that was taken; null: from `since` on. */
export type ChangedRequest = {
  since: string
  after: { updated_at: string; operation_id: string } | null
  limit: number
}
