/** The state of a guarded service's witness, and its recovery by an operator. */

import type { FenceTarget, OperationKind } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'

/** The reasons of a service. `elsewhere`: the other schema has lost something. */
export const closedReasons = [
  'starting',
  'unreachable',
  'no_witness',
  'other_witness',
  'superseded',
  'loss',
  'elsewhere',
] as const
export type ClosedReason = (typeof closedReasons)[number]

/**
 * Why a service writes nothing, and since when; null if it writes. `from` and `to` are the lost time, as far as it is known: from the
 * last mark that the database has to the last one that the witness has. `transactions` is the number of those that the database lacks;
 * each accepts or claims one operation or several.
 */
export type WitnessReport = {
  reason: ClosedReason
  since: string
  from: string | null
  to: string | null
  transactions: number | null
} | null

/** An operation that events name and the database does not know. `state` is the last one that was heard of, at this time. */
export type LostOperation = {
  operation_id: string
  kind: OperationKind
  owner_id: string
  client_id: string
  state: OperationState
  at: string
  upstream_reference: string | null
}

/** `count` is that of all; the oldest of them are named. */
export type LostOperations = { count: number; operations: LostOperation[] }

/** Operations that were generated before the recovery point and have no claim are never sent. Refused if no clock can tell it. */
export type Recovered = { recovery_point: string } | { refused: string }

/** The end of an authority, or its return, as the submitter fenced it. The greatest version counts. */
export type WitnessedEnd = {
  target: FenceTarget
  target_id: string
  version: number
  /** Null: the fence was lifted. */
  reason: string | null
  at: string
}

/**
 * A payment that the submitter was about to claim, with what its reservation needs: a database that goes back in time loses the
 * reservation, and the provider may have executed the payment.
 */
export type WitnessedPayment = {
  operation_id: string
  /** The id of the transfer. */
  id: string
  owner_id: string
  client_id: string
  mandate_id: string | null
  beneficiary_id: string
  /** A canonical decimal. */
  amount: string
  currency: string
  /** The UTC day in which it was reserved, for example `2026-11-20`. */
  day: string
}

/** A message of the log. A payment may be in several of them. */
export type WitnessedPayments = { payments: WitnessedPayment[] }

/** An end that the log knows, for the service of its authority. Answered with true if that service took the authority for active. */
export type RepeatEnd = Pick<WitnessedEnd, 'target_id' | 'reason'>

/** Ends of authority: asked for, all that the log knows; answered, those that the database had lost. */
export type Ends = { ends: WitnessedEnd[] }
