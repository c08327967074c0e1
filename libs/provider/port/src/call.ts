/** The parts that calls of the port share: the context of a call, instructions, failure codes, the result of a read. */

import type { OperationKind } from '@financial-agents/contract/kinds'

/** Every failure code that an adapter may report: the operation's `failure_code` when the provider is the cause. */
export const providerFailureCodes = [
  /** No byte of the request left this process: refused, no route, no name, no free connection in time. */
  'provider_unreachable',
  /** The provider understood the request and will not execute it. */
  'provider_refused',
  /** The provider will not execute the request because of the content of its payload. */
  'provider_rejected_details',
  /** The provider did not accept the binding's credentials; it executed nothing. */
  'provider_authentication_failed',
  /** The provider must first verify the person's identity, or verify it again. It executed nothing. */
  'provider_identity_required',
  /** Sent; no complete answer within the time given. */
  'provider_timeout',
  /** Sent; the connection broke before a complete answer. */
  'provider_connection_lost',
  /** Sent; the provider answered that it failed inside, which says nothing about the mutation. */
  'provider_error',
  /** Sent; the answer was unreadable or broke the provider's own interface. */
  'provider_response_invalid',
  /** The adapter has no row for this kind; nothing was sent. */
  'operation_kind_unsupported',
  /** The payload is not one that the adapter can put into the provider's words; nothing was sent. */
  'submission_invalid',
  /** The provider did not begin to execute the mutation before its deadline, and will not any more. */
  'submission_expired',
] as const

export type ProviderFailureCode = (typeof providerFailureCodes)[number]

/** Context of every call, also of calls without credentials. */
export type AnonymousCallContext = {
  /** Time for the whole call, up to the last byte of the answer. */
  readonly timeoutMs: number
  /** W3C trace headers (`traceparent`, `tracestate`) to send along. */
  readonly traceHeaders?: Readonly<Record<string, string>>
}

/** Context of every call for a person. */
export type CallContext = AnonymousCallContext & {
  /** The unsealed credentials of the provider binding, opaque to everyone but the adapter. Never logged, never in a result. */
  readonly credentials: string
  /** The name of the binding's provider, which chooses the adapter. It means nothing to the adapter itself. */
  readonly provider?: string
}

/** The provider's reference of the resource that a mutation names: the `upstreamReference` of the operation that created it. */
export type SubmissionTarget = { readonly upstreamReference: string }

/** One mutation, as it may be approved and submitted. */
export type Instruction = CallContext & {
  readonly kind: OperationKind
  /** Our operation id. It is committed before this call and sent with it, so that a lost answer can be looked up. */
  readonly reference: string
  /**
   * The accepted request body in the contract's words; `{}` if the route has no body. Our own identifiers in it
   * (`beneficiary_id`) mean nothing to a provider and are not sent.
   */
  readonly payload: Readonly<Record<string, unknown>>
  /** Required for the kinds whose row in `kindFacts` has a `target`; without it they fail with `submission_invalid`, unsent. */
  readonly target?: SubmissionTarget | undefined
}

/**
 * Facts about the resource that only the provider knows; never personal data. A created card has `brand` and `last_four`. A
 * freeze or an unfreeze has `changed_at` (RFC 3339): the time at which the provider made it, by one clock for all changes of a
 * card. A freeze and an unfreeze may be under way together: without `changed_at` the card is then not shown as frozen.
 */
export type ResourceFacts = Readonly<Record<string, string>>

/**
 * Result of a read, which moves nothing. `contract_broken`: the provider answered, but not in the shape that it promises.
 * `unavailable` with `provider_refused`: the provider will not answer for this connection, however often it is asked.
 */
export type ReadResult<Data> =
  | { readonly type: 'ok'; readonly data: Data }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
  | { readonly type: 'contract_broken'; readonly reason: string }
