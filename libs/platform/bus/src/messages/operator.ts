/** Requests of the operators' console to the services. An answer has no payload, and names a customer only by the pairwise subject. */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind, ResourceType } from '@financial-agents/contract/kinds'
import type { Mover, OperationEvent, OperationState } from '@financial-agents/contract/machine'
import type { ClientProfile, GrantStatus } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import type { Evidence } from './events.ts'

/** An operation of any owner and client. */
export type OperatorOperationRow = {
  operation_id: string
  kind: OperationKind
  state: OperationState
  subject: string
  client_id: string
  grant_id: string
  mandate_id: string | null
  /** The trace of the request that was accepted, if the request had one. */
  trace_id: string | null
  /** The payment of an operation that pays; null for any other kind. The amount is a canonical decimal. */
  payment: { amount: string; currency: string; beneficiary_id: string } | null
  failure_code: FailureCode | null
  failure_detail: string | null
  resource_id: string
  resource_type: ResourceType
  upstream_reference: string | null
  next_reconcile_at: string | null
  created_at: string
  updated_at: string
}

/** Asks for operations that match all filters, newest first. */
export type FindOperationsRequest = {
  state?: OperationState
  kind?: OperationKind
  client_id?: string
  grant_id?: string
  /** Operations of the owner of these grants, under any grant. The grants are those of one owner. */
  of_owner_of?: string[]
  /** RFC 3339. */
  created_from?: string
  created_until?: string
  /** The half-open time of the outcome, RFC 3339. If set, only operations with an outcome match. */
  ended_from?: string
  ended_until?: string
  failure_code?: FailureCode
  resource_id?: string
  /** The provider's reference. */
  upstream_reference?: string
  /** 32 hexadecimal digits. */
  trace_id?: string
  mandate_id?: string
  /** The lowest and the highest amount of a payment, inclusive, in any currency. Canonical decimals. */
  amount_from?: string
  amount_to?: string
  operation_ids?: string[]
  after: { created_at: string; id: string } | null
  limit: number
}

/**
 * `next` is the position at which the list continues; null at its end. If no index covers the filters, each request
 * searches one part of the list. A part may be empty; `next` then tells how far the search got.
 */
export type FoundOperations = { operations: OperatorOperationRow[]; next: { created_at: string; id: string } | null }

export type OperatorMove = {
  sequence: number
  from: OperationState | null
  event: OperationEvent
  to: OperationState
  by: Mover
  at: string
  failure_code: FailureCode | null
  reason: string | null
  evidence: Evidence | null
}

/** Counts of all operations in flight, and of the operations that ended in a period. */
export type OperationCounts = Partial<Record<OperationState, number>>

/** The operators' overview. The cost of each number depends on the operations in flight or of 24 hours, not on all stored ones. */
export type OperationsOverview = {
  counts: OperationCounts
  /** The operations in flight by state and age; `under_seconds` is the upper bound of the age, null for the oldest group. */
  ages: { state: OperationState; under_seconds: number | null; operations: number }[]
  /** The oldest operations without an outcome, at most 20. */
  oldest: OperatorOperationRow[]
  /** For each of the last 24 hours, the numbers of created operations and of outcomes. */
  hours: { hour: string; created: number; succeeded: number; failed: number; cancelled: number }[]
  /** Failure and uncertainty codes of operations created in the last 24 hours. */
  failures: { failure_code: FailureCode; operations: number }[]
}

/**
 * The provider's answers to submissions of one kind in a stretch of time. `answered`: the provider accepted or executed
 * the submission. `refused`: the provider did not execute it. `unknown`: no answer came from which the outcome is
 * known. The times are from the claim to the answer.
 */
export type SubmissionHealth = {
  kind: OperationKind
  answered: number
  refused: number
  unknown: number
  median_ms: number | null
  slow_ms: number | null
}

/** Asks for a stretch: from `since` until before `until`, RFC 3339, at most a day and an hour. */
export type SubmissionHealthRequest = { since: string; until: string }

/** The reads of one kind in a stretch of time. `provider` is null for a public read. `failed`: the provider as a whole failed. */
export type ReadFigures = {
  provider: string | null
  read: string
  calls: number
  failed: number
  /** Reads that an open circuit turned away. They are not among `calls`. */
  turned_away: number
  total_ms: number
  most_ms: number
}

/** A circuit of one process. `since`: the time at which it was last seen to open or to close, RFC 3339. */
export type CircuitHealth = {
  provider: string | null
  read: string
  state: 'closed' | 'open' | 'half_open'
  since: string
}

/** The reads of one process since its last report, and its circuits. `reporter` is the process's own random UUID. */
export type ReadHealthReport = { reporter: string; reads: ReadFigures[]; circuits: CircuitHealth[] }

export type Review = { operation_id: string; reason: string; created_at: string }

/** Asks for operations under review, newest operation first. If `operation_ids` is set, only these operations match. */
export type ReviewsRequest = {
  operation_ids?: string[]
  after: { created_at: string; id: string } | null
  limit: number
}

/**
 * Reads of an operation at the provider, newest first. `count` counts all of them; `reads` are the newest 100.
 * `not_found` counts the reads that did not find the operation. The late answer came after the attempt was given up.
 */
export type OperatorReads = {
  count: number
  not_found: number
  reads: Evidence[]
  late_answer: { outcome: string; observed_at: string } | null
}

export type GrantActivity = { grant_id: string; operations_in_flight: number; last: OperatorOperationRow | null }

export type OperatorGrantRow = {
  grant_id: string
  subject: string
  client: { id: string; name: string; profile: ClientProfile }
  status: GrantStatus
  scopes: Scope[]
  created_at: string
  last_used_at: string | null
  suspended: { at: string; by: string; reason: string; reason_for_owner: string | null } | null
}

/** Asks for grants that match all filters, newest first. */
export type FindGrantsRequest = {
  grant_id?: string
  client_id?: string
  status?: GrantStatus
  subject?: string
  /** Grants of the owner of this grant, to any client. */
  same_owner_as?: string
  owner_id?: string
  after: { created_at: string; id: string } | null
  limit: number
}

/** Idempotent: a suspended grant keeps the time, operator and reason of its first suspension. */
export type SuspendGrantRequest = { grant_id: string; operator: string; reason: string; reason_for_owner?: string }
export type SuspendGrantAnswer =
  | { outcome: 'suspended' | 'already_suspended'; grant: OperatorGrantRow }
  | { outcome: 'not_active' | 'not_found' }
