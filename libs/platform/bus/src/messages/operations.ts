/** Requests of services to operations about a write, and the answers. */

import type { Ceilings } from '@financial-agents/contract/ceilings'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import type { Principal } from '@financial-agents/contract/principal'
import type { ConfirmationProblem } from '@financial-agents/contract/problem-catalogue'
import type { ConfirmedAction } from '@financial-agents/contract/schemas/authorization'
import type { Operation } from '@financial-agents/contract/schemas/operation'

/** The identity of an idempotency record, together with owner and client, and the hash of the request. */
export type KeyedRequest = {
  /** For example `POST /v1/beneficiaries`. */
  route: string
  key: string
  /** The HMAC of the canonical request, base64url. Equal requests have equal hashes. */
  request_hash: string
}

/** An operation that an area offers for acceptance. */
export type AcceptRequest = KeyedRequest & {
  principal: Principal
  /** Created by the area. */
  operation_id: string
  kind: OperationKind
  resource_id: string
  /** The mandate whose fence stops this operation; null if there is none. */
  mandate_id: string | null
  /** The end of that mandate by time, RFC 3339; null if there is none. */
  mandate_ends_at: string | null
  /** The provider's reference of the beneficiary, mandate or card that the kind names; null if it names none. */
  target_reference: string | null
  /** The intent that the request names. The acceptance consumes it. Null if the request names none and needs none. */
  confirmation: { action: ConfirmedAction; intent_id: string } | null
  /** The payment, for kinds that pay; null for all others. */
  payment: Payment | null
  /** Base64. The area seals the payload with the operation id as the context. */
  payload_sealed: string
  traceparent: string
}

/** The part of a payment that is stored as long as its operation, and the limits against which the accept checks it. */
export type Payment = {
  beneficiary_id: string
  /** A canonical decimal. */
  amount: string
  currency: string
  rule: string | null
  /** Base64. The reference may name a person, so the area seals it, with the resource's id as the context. */
  reference_sealed: string | null
  /** The ceilings of the grant at the time of the request. */
  ceilings: Ceilings
}

/** A payment that nobody has offered yet, in the client's own spelling, and the ceilings of the grant. */
export type CheckPaymentRequest = Pick<Principal, 'owner_id' | 'client_id'> &
  Pick<Payment, 'amount' | 'currency' | 'ceilings'>

/** `detail`: why the payment exceeds the ceilings; null if it does not. `reserved`: the payments of the day in this currency. */
export type CheckPaymentResponse = { detail: string | null; reserved: string }

/** Asks for the key result before an area refuses a request. */
export type ResultRequest = KeyedRequest & { principal: Principal }

/** The result on a key (contract, "Idempotency contract"). The operation of `replayed` may have another id than the offered one. */
export type KeyResult =
  | { type: 'new' }
  | { type: 'replayed'; operation: Operation }
  | { type: 'conflict' }
  | { type: 'expired' }

/**
 * `refused`: the key was new, but the confirmation is invalid or the payment exceeds the day's ceiling. The offered operation id can
 * never be accepted. `void`: the offered operation id had been voided before. Nothing was accepted, and no accept of this id can win.
 */
export type AcceptResult =
  | { type: 'accepted'; operation: Operation }
  | Exclude<KeyResult, { type: 'new' }>
  | ({ type: 'refused' } & Refusal)
  | { type: 'void' }

/** The reason of a refusal, with a `detail` where the code is not enough. */
export type Refusal = { code: ConfirmationProblem } | { code: 'grant_ceiling_exceeded'; detail: string }

/** Asks for the decisions on operation ids. An undecided id is voided (write protocol, rules 2 and 12). */
export type DecideRequest = { operation_ids: string[] }

/** The decision on each given id: the state of its operation, or `void`. */
export type DecideResponse = {
  operation_id: string
  state: OperationState | 'void'
  sequence: number
  upstream_reference: string | null
  resource: Readonly<Record<string, string>> | null
}[]

export type PayloadsRequest = { operation_ids: string[] }

/** `left_out`: ids that did not fit into the message; the submitter asks for them again. An id in neither list is unknown. */
export type PayloadsResponse = { operations: AcceptedOperation[]; left_out: string[] }

/** An accepted operation, with the fields that the submitter needs to claim and submit it. */
export type AcceptedOperation = {
  operation_id: string
  kind: string
  resource_id: string
  state: OperationState
  sequence: number
  owner_id: string
  subject: string
  client_id: string
  grant_id: string
  binding_id: string
  mandate_id: string | null
  /** The end of its grant or its mandate by time, the earlier of the two; null if it has none. */
  authority_ends_at: string | null
  target_reference: string | null
  accepted_at: string
  traceparent: string
  /** Base64; null after the first outcome. */
  payload_sealed: string | null
}
