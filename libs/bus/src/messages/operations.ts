/** What services ask operations about a write, and what they are answered. */

import type { Ceilings } from '@financial-agents/contract/ceilings'
import type { Principal } from '@financial-agents/contract/principal'
import type { ConfirmationProblem } from '@financial-agents/contract/problem-catalogue'
import type { ConfirmedAction } from '@financial-agents/contract/schemas/authorization'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { OperationState } from '@financial-agents/operation-machine/machine'

/** The identity of an idempotency record (with owner and client), and the hash that equal requests share. */
export type KeyedRequest = {
  /** `POST /v1/beneficiaries`. */
  route: string
  key: string
  /** HMAC of the canonical request, base64url. */
  request_hash: string
}

/** An operation that an area offers for acceptance. */
export type AcceptRequest = KeyedRequest & {
  principal: Principal
  /** Minted by the area service. */
  operation_id: string
  kind: OperationKind
  resource_id: string
  /** The mandate whose fence stops this operation, where one does. */
  mandate_id: string | null
  /** The provider's own reference of the beneficiary, mandate or card that the kind names; null where it names none. */
  target_reference: string | null
  /** The intent that the request named, to be consumed with the acceptance; null where it named none and needs none. */
  confirmation: { action: ConfirmedAction; intent_id: string } | null
  /** Of a kind that pays, and of no other. */
  payment: Payment | null
  /** Sealed by the area service in the context of the operation id, base64; operations cannot open it. */
  payload_sealed: string
  traceparent: string
}

/** What is kept of a payment for as long as its operation is, and the ceilings under which it is judged in the accept. */
export type Payment = {
  beneficiary_id: string
  /** Canonical decimal. */
  amount: string
  currency: string
  rule: string | null
  /** A person may be named in it: sealed by the area service in the context of the resource's id, base64. */
  reference_sealed: string | null
  /** Of the grant, as the request came under them. */
  ceilings: Ceilings
}

/** Asks what a key says before a request is refused. */
export type VerdictRequest = KeyedRequest & { principal: Principal }

/** What the key says (contract, "Idempotency contract"). `replayed` may carry another operation id than was offered. */
export type KeyVerdict =
  | { type: 'new' }
  | { type: 'replayed'; operation: Operation }
  | { type: 'conflict' }
  | { type: 'expired' }

/**
 * `refused`: the key was new, and its confirmation is not good or its payment does not fit into the day's ceiling; the offered operation id is
 * ruled out. `void`: the offered operation id had been decided against; nothing was accepted and nothing ever will be under it.
 */
export type AcceptVerdict =
  | { type: 'accepted'; operation: Operation }
  | Exclude<KeyVerdict, { type: 'new' }>
  | ({ type: 'refused' } & Refusal)
  | { type: 'void' }

/** Why nothing was accepted; `detail` where the code does not say it all. */
export type Refusal = { code: ConfirmationProblem } | { code: 'grant_ceiling_exceeded'; detail: string }

/** The decision on operation ids: `void` is written where there was none (write protocol, rules 2 and 12). */
export type DecideRequest = { operation_ids: string[] }

/** Which of the ids asked for are operations, and in which state. */
export type DecideResponse = {
  operation_id: string
  state: OperationState | 'void'
  sequence: number
  upstream_reference: string | null
  resource: Readonly<Record<string, string>> | null
}[]

/** Asks for the sealed payloads of operations. */
export type PayloadsRequest = { operation_ids: string[] }

/** `left_out` did not fit into the message and is to be asked for again; ids in neither are unknown here. */
export type PayloadsResponse = { operations: AcceptedOperation[]; left_out: string[] }

/** An accepted operation as the submitter needs it to claim and submit. */
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
  target_reference: string | null
  accepted_at: string
  traceparent: string
  /** Base64; null once an outcome is known. */
  payload_sealed: string | null
}
