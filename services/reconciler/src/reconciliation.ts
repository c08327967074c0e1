/** A row being reconciled, as it is read when it is locked, and the late answer that came for its attempt. */

import type { LateAnswer } from '@financial-agents/bus/messages/events'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'

/** What the reconciler holds the pen for; terminal rows are never locked. */
export type OpenState = 'submitted' | 'indeterminate'

export type Reconciliation = {
  operation_id: string
  kind: OperationKind
  resource_id: string
  owner_id: string
  subject: string
  client_id: string
  grant_id: string
  binding_id: string
  traceparent: string
  state: OpenState
  sequence: number
  updated_at: Date
  upstream_reference: string | null
  target_reference: string | null
  /** Reads made: the position in the schedule. */
  reads: number
  /** Reads in a row that did not find it. */
  not_found: number
  /** The provider once acknowledged or showed it, so that its absence now contradicts. */
  shown: boolean
  review: boolean
  lock_token: string
  late_outcome: LateAnswer['outcome'] | null
  late_upstream_reference: string | null
  late_failure_code: FailureCode | null
}
