/**
 * Events of operations, and their confirmation. An event carries the whole state, so that a consumer can start from any
 * event. (operation, sequence) makes every consumer idempotent. One message carries a batch of one kind.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Mover, OperationEvent, OperationState } from '@financial-agents/contract/machine'

/** The evidence for the state of an operation. */
export type Evidence = {
  /** The read of the provider, for example `beneficiary_by_reference`. */
  read: string
  /** The result of the read, in one word. */
  result: string
  observed_at: string
  /** SHA-256 of the canonical answer, base64url. */
  digest: string
}

/**
 * One transition of one operation, as its mover committed it. A fact that is null may be absent. If the transition after a
 * claim is in the same message, the claim leaves out the optional facts: no consumer takes them from there.
 */
export type OperationTransition = {
  operation_id: string
  kind: OperationKind
  resource_id?: string
  owner_id: string
  subject?: string
  client_id: string
  grant_id?: string
  binding_id?: string
  /** The number of the transition, assigned by the service that makes the move: one more than that of the transition before. */
  sequence: number
  from: OperationState | null
  event: OperationEvent
  to: OperationState
  by: Mover
  /** RFC 3339. Never earlier than the time of the transition before. */
  at: string
  failure_code?: FailureCode | null
  failure_detail?: string | null
  upstream_reference?: string | null
  /** The provider's reference of the resource on which the operation acts; null if the kind names none. */
  target_reference?: string | null
  /** The provider's facts of the resource (a card's brand, its last four digits); null if the provider gave none. */
  resource?: Readonly<Record<string, string>> | null
  next_reconcile_at: string | null
  /** A handoff: the deadline that was sent to the provider (RFC 3339). Absent if it is not known. */
  valid_until?: string | null
  reason?: string | null
  evidence?: Evidence | null
  traceparent?: string
}

/** Reports the time of a planned read, without a transition. If the message is lost, `next_reconcile_at` is stale. */
export type ReadPlanned = { operation_id: string; sequence: number; next_reconcile_at: string }

/** A message on `ops.event.<kind>`. */
export type EventBatch = { transitions: OperationTransition[]; reads_planned?: ReadPlanned[] }

/** A message on `ops.submit.<kind>`. It contains ids, and never a payload. */
export type SubmitBatch = { operations: { operation_id: string; traceparent: string }[] }

/**
 * Tells the service that made the moves that `by` has committed these transitions. The service publishes unconfirmed
 * transitions again.
 */
export type Confirmation = { by: 'operations' | 'reconciler'; items: { operation_id: string; sequence: number }[] }

/** An answer that came after the attempt's lease had expired. It is evidence for the reconciler, not an outcome. */
export type LateAnswer = {
  operation_id: string
  outcome: 'succeeded' | 'submitted' | 'failed' | 'unsent' | 'uncertain'
  upstream_reference: string | null
  /** The facts in the answer, if its outcome is `succeeded`. The facts that count come from the read that proves the outcome. */
  resource: Readonly<Record<string, string>> | null
  failure_code: FailureCode | null
  observed_at: string
}
