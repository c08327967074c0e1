/** A row under reconciliation, as it is read when it is locked, with the late answer of its attempt. */

import type { LateAnswer } from '@financial-agents/bus/messages/events'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/contract/kinds'

/** States for which the reconciler holds the pen. Rows in a terminal state are never locked. */
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
  /** The deadline that was sent to the provider; null if it is not known. */
  valid_until: Date | null
  /** Number of reads made; it is the position in the schedule. */
  reads: number
  /** Consecutive reads that did not find the operation. */
  not_found: number
  /** The provider acknowledged or showed the operation once, so its absence now contradicts that. */
  shown: boolean
  review: boolean
  lock_token: string
  late_outcome: LateAnswer['outcome'] | null
  late_upstream_reference: string | null
  late_failure_code: FailureCode | null
}
