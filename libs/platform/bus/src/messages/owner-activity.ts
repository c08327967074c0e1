/** An owner's operations for the pages of the owner. Never a payload. */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind, ResourceType } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import type { OwnerIntent } from './intents.ts'

/** The payment of an operation that pays. `amount`: a canonical decimal in `currency`. */
export type OwnerPayment = { amount: string; currency: string; beneficiary_id: string; mandate_id: string | null }

/** An operation as its owner sees it, from any client. */
export type OwnerOperation = {
  operation_id: string
  client_id: string
  grant_id: string
  kind: OperationKind
  state: OperationState
  resource_type: ResourceType
  resource_id: string
  submission_uncertain: boolean
  failure_code: FailureCode | null
  upstream_reference: string | null
  /** Null for an operation that does not pay. */
  payment: OwnerPayment | null
  /** The approval at the provider that the operation waits for; null if it waits for none. */
  approval: { url: string; expires_at: string | null } | null
  created_at: string
  updated_at: string
}

/** A confirmation that an application asks for and that is still open. */
export type WaitingIntent = Pick<OwnerIntent, 'intent_id' | 'client_id' | 'action' | 'created_at' | 'expires_at'>

/** The maximum number of operations in flight in one answer. */
export const ownerInFlightMost = 100

/**
 * The numbers of all that is in flight and of what waits for the owner: approvals at the provider, payments of unknown
 * outcome, open confirmations. The lists beside them may hold less.
 */
export type OwnerCounts = { in_flight: number; approval: number; uncertain: number; confirmation: number }

/** `active_grants`: the grants whose approvals and confirmations still wait for the owner. If absent: all. */
export type OwnerActivityRequest = { owner_id: string; active_grants?: string[] }

export type OwnerActivity = {
  counts: OwnerCounts
  /** The operations without an outcome, newest first, at most `ownerInFlightMost`. */
  in_flight: OwnerOperation[]
  /** The latest operation of each grant. */
  latest: OwnerOperation[]
  /** The open confirmations, at most 20. The one that ends first comes first. */
  intents: WaitingIntent[]
}

/** The maximum number of operations in one answer of an owner's history. */
export const ownerHistoryPage = 100

/** Asks for an owner's operations, newest first. */
export type OwnerHistoryRequest = {
  owner_id: string
  /** Null: of every client. */
  client_id: string | null
  /** Only payments under this mandate. Null: under any mandate and under none. */
  mandate_id: string | null
  /** Only operations that pay. Required with `mandate_id`. */
  payments_only: boolean
  /** The half-open period of creation, RFC 3339: from `from` until before `until`. Null: without a bound. */
  from: string | null
  until: string | null
  /** The last operation of the page before. */
  after: { created_at: string; id: string } | null
  /** 1 to `ownerHistoryPage`. */
  limit: number
}

export type OwnerMove = { to: OperationState; at: string }

/**
 * One operation with its course, oldest first, and the memo of its payment, null if it has none. Null if the owner has no
 * such operation.
 */
export type OwnerOperationAnswer = { operation: OwnerOperation; moves: OwnerMove[]; memo: string | null } | null

/**
 * The sums of a client's payments in one currency, as the ceilings count them: released payments (failed, cancelled) do not
 * count, payments under way do. Days and months are of UTC.
 */
export type OwnerSpending = {
  client_id: string
  currency: string
  today: string
  month: string
  total: string
  under_way: string
}
