/** What the operators' console asks the services: no payload, and of a customer the pairwise subject alone. */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { ClientProfile, GrantStatus } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import type { OperationKind, ResourceType } from '@financial-agents/operation-machine/kinds'
import type { Mover, OperationEvent, OperationState } from '@financial-agents/operation-machine/machine'
import type { Evidence } from './events.ts'

/** An operation of any owner and client. */
export type OperatorOperationRow = {
  operation_id: string
  kind: OperationKind
  state: OperationState
  subject: string
  client_id: string
  grant_id: string
  failure_code: FailureCode | null
  failure_detail: string | null
  resource_id: string
  resource_type: ResourceType
  upstream_reference: string | null
  next_reconcile_at: string | null
  created_at: string
  updated_at: string
}

/** Newest first. `operation_ids`: of these alone. */
export type FindOperationsRequest = {
  state?: OperationState
  kind?: OperationKind
  client_id?: string
  grant_id?: string
  /** RFC 3339. */
  created_until?: string
  operation_ids?: string[]
  after: { created_at: string; id: string } | null
  limit: number
}

/** One move of an operation. */
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

/** In flight all, ended since a moment. */
export type OperationCounts = Partial<Record<OperationState, number>>

/** What the overview shows of operations; each number is bounded by what is in flight or by the 24 hours, not by what is stored. */
export type OperationsOverview = {
  counts: OperationCounts
  /** In flight, by state and by how long ago they were created. */
  ages: { state: OperationState; under_seconds: number | null; operations: number }[]
  /** The oldest without an outcome, at most 20. */
  oldest: OperatorOperationRow[]
  /** Of the last 24 hours, hour by hour: created, and come to an outcome. */
  hours: { hour: string; created: number; succeeded: number; failed: number; cancelled: number }[]
  /** Failure and uncertainty codes of operations created in the last 24 hours. */
  failures: { failure_code: FailureCode; operations: number }[]
}

/** An operation under review. */
export type Review = { operation_id: string; reason: string; created_at: string }

/** Operations under review, newest operation first; or which of these are. */
export type ReviewsRequest = {
  operation_ids?: string[]
  after: { created_at: string; id: string } | null
  limit: number
}

/** What grants did. */
export type GrantActivity = { grant_id: string; operations_in_flight: number; last: OperatorOperationRow | null }

/** A grant of any owner. */
export type OperatorGrantRow = {
  grant_id: string
  subject: string
  client: { id: string; name: string; profile: ClientProfile }
  status: GrantStatus
  scopes: Scope[]
  created_at: string
  last_used_at: string | null
  suspended: { at: string; by: string; reason: string } | null
}

/** Newest first. */
export type FindGrantsRequest = {
  grant_id?: string
  client_id?: string
  status?: GrantStatus
  subject?: string
  after: { created_at: string; id: string } | null
  limit: number
}

/** Idempotent: a suspended grant stays as it was suspended first. */
export type SuspendGrantRequest = { grant_id: string; operator: string; reason: string }
export type SuspendGrantAnswer =
  | { outcome: 'suspended' | 'already_suspended'; grant: OperatorGrantRow }
  | { outcome: 'not_active' | 'not_found' }
