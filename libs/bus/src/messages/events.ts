/**
 * Events of an operation and their confirmation. An event carries the whole state, so any consumer can start from any
 * event; (operation, sequence) makes every consumer idempotent. One message carries a batch of one kind.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Mover, OperationEvent, OperationState } from '@financial-agents/operation-machine/machine'

/** What the state of an operation was judged by. */
export type Evidence = {
  /** Which read, for example `beneficiary_by_reference`. */
  read: string
  /** What it said, in a word. */
  result: string
  observed_at: string
  /** SHA-256 of the canonical answer, base64url. */
  digest: string
}

/** One transition of one operation, as its mover committed it. */
export type OperationTransition = {
  operation_id: string
  kind: OperationKind
  resource_id: string
  owner_id: string
  subject: string
  client_id: string
  grant_id: string
  binding_id: string
  /** The pen-holder's version; one more than the one it moved from. */
  sequence: number
  from: OperationState | null
  event: OperationEvent
  to: OperationState
  by: Mover
  /** RFC 3339; never earlier than the one before. */
  at: string
  failure_code: FailureCode | null
  failure_detail: string | null
  upstream_reference: string | null
  /** The provider's own reference of what the operation acts on, where its kind names something. */
  target_reference: string | null
  /** What only the provider knows of the resource (a card's brand, its last four digits); null where it said nothing. */
  resource: Readonly<Record<string, string>> | null
  next_reconcile_at: string | null
  reason: string | null
  evidence: Evidence | null
  traceparent: string
}

/** A later read was planned; no transition. Losing it only leaves `next_reconcile_at` stale. */
export type ReadPlanned = { operation_id: string; sequence: number; next_reconcile_at: string }

/** On `ops.event.<kind>`. */
export type EventBatch = { transitions: OperationTransition[]; reads_planned?: ReadPlanned[] }

/** On `ops.submit.<kind>`: ids alone, never a payload. */
export type SubmitBatch = { operations: { operation_id: string; traceparent: string }[] }

/** Sent to the pen-holder once the transitions are committed by `by`; what is not confirmed is published again. */
export type Confirmation = { by: 'operations' | 'reconciler'; items: { operation_id: string; sequence: number }[] }

/** An answer that came after the attempt's lease had run out: evidence for the reconciler, not an outcome. */
export type LateAnswer = {
  operation_id: string
  outcome: 'succeeded' | 'submitted' | 'failed' | 'unsent' | 'uncertain'
  upstream_reference: string | null
  /** As the answer said it, only of one that succeeded; what counts comes from the read that proves it. */
  resource: Readonly<Record<string, string>> | null
  failure_code: FailureCode | null
  observed_at: string
}
