/**
 * The provider port: everything that the system asks of a provider. An adapter implements `Provider`; only the adapter
 * knows the provider's own words.
 *
 * Invariant: one call of `submit` puts the mutation on the wire at most once, and every outcome says no more than the
 * adapter can prove. Doubt is always `uncertain`, `ambiguous` or `unavailable`; an adapter never throws for anything
 * that the provider or the network does.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ProviderAccount, SpendingAccount, WithdrawalLimits, WithdrawalLimitsQuery } from './account-reads.ts'
import type { ActivityPage, ActivityQuery } from './activity-reads.ts'
import type { ApprovalPoll, ApprovalRequest, PolledApproval, PreparedApproval } from './approval.ts'
import type {
  DeviceAuthenticationPoll,
  DeviceAuthenticationStart,
  PolledDeviceAuthentication,
  StartedDeviceAuthentication,
} from './device-authentication.ts'
import type { CardRevealRequest, IdentityCheckRequest, StartedHostedSession } from './hosted-session.ts'
import type { IdentityStatus } from './identity.ts'
import type { AddressCountry, PayoutSchema } from './payout-schemas.ts'
import type {
  ProviderPurchase,
  ProviderPurchaseQuote,
  PurchasableService,
  PurchaseQuoteMember,
  PurchaseQuoteRequest,
  Quoted,
  TransferQuote,
  TransferQuoteMember,
  TransferQuoteRequest,
} from './quotes.ts'
import type { Asset, FiatPrice, FiatPricesQuery, VirtualAccountEconomics } from './reference-data.ts'

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

/** One mutation that is submitted now. */
export type Submission = Instruction & {
  /**
   * The deadline: the provider may begin to execute the mutation until this time, and not after it. It is committed before
   * this call and is the same in every event about the submission.
   */
  readonly validUntil: Date
}

/**
 * The promises by which "not found" proves that a mutation was not executed and never will be (write protocol, rule 19).
 * They are taken from the provider's contract. A read then proves it if it began later than `validUntil` and
 * `clockMarginMs`, by the provider's own clock.
 */
export type DeadlinePromise = {
  /**
   * The provider compares `validUntil` with its clock when it begins to execute, not when it receives. After that time it
   * executes nothing, however late a request arrives and however long it waited inside.
   */
  readonly refusesAfterDeadline: boolean
  /** A read by our reference shows every mutation of the reference that the provider has begun to execute. */
  readonly completeByReference: boolean
  /**
   * The largest difference between the clock by which the provider refuses and the clock that its reads show, together with
   * the time after which a read certainly shows a mutation that has begun. Milliseconds.
   */
  readonly clockMarginMs: number
}

/**
 * Facts about the resource that only the provider knows; never personal data. A created card has `brand` and `last_four`. A
 * freeze or an unfreeze has `changed_at` (RFC 3339): the time at which the provider made it, by one clock for all changes of a
 * card. A freeze and an unfreeze may be under way together: without `changed_at` the card is then not shown as frozen.
 */
export type ResourceFacts = Readonly<Record<string, string>>

/** Outcome of the one attempt. `failureDetail` is our own text: public, without personal data. */
export type SubmitOutcome =
  /** The provider executed the mutation; this is final. */
  | { readonly type: 'succeeded'; readonly upstreamReference: string; readonly resource?: ResourceFacts }
  /** The provider accepted the mutation; final settlement is pending. */
  | { readonly type: 'submitted'; readonly upstreamReference: string }
  /** Definitive: the provider did not execute the mutation and will not. */
  | { readonly type: 'failed'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  /** Proven: no byte of the request was sent, and none will be. */
  | { readonly type: 'unsent'; readonly failureCode: 'provider_unreachable'; readonly failureDetail: string }
  /** Some of the request may have been sent. Only reads may follow. */
  | { readonly type: 'uncertain'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }

export type LookupRequest = CallContext & {
  readonly kind: OperationKind
  readonly reference: string
  /** The provider's own reference, if an answer gave it; else null. */
  readonly upstreamReference: string | null
  /**
   * As in the submission, if it is known. Proof by our reference does not need it. With it, a final state of the resource
   * (a closed card, a revoked mandate) proves too.
   */
  readonly target?: SubmissionTarget | undefined
}

/**
 * Result of a read by our reference. `read` names the read (`beneficiary_by_reference`). `observed` is the canonical text of
 * its answer, which is hashed as evidence: equal facts give equal text, and it holds no personal data.
 */
export type LookupResult =
  | {
      readonly type: 'found'
      readonly read: string
      readonly state: 'pending' | 'succeeded' | 'failed'
      readonly upstreamReference: string
      /** Present exactly when `state` is `failed`. */
      readonly failureCode?: ProviderFailureCode
      /** As in the outcome; only when `state` is `succeeded`. */
      readonly resource?: ResourceFacts
      readonly observed: string
    }
  /**
   * The provider shows no record now. This proves that it did not and will not execute only under a `DeadlinePromise`. It
   * needs a complete answer; an incomplete one is `unavailable`.
   */
  | {
      readonly type: 'not_found'
      readonly read: string
      readonly observed: string
      /**
       * The provider's own clock at any moment of this read, as its answer says (a member, or `Date`). Without it the read
       * proves nothing. Absent if the provider does not keep its promise for this answer.
       */
      readonly providerTime?: Date
    }
  /** More than one record, or a record that contradicts the request or itself. An operator has to look at it. */
  | { readonly type: 'ambiguous'; readonly read: string; readonly reason: string; readonly observed: string }
  /** The read itself failed; it proves nothing and may be repeated. */
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/**
 * Result of a read, which moves nothing. `contract_broken`: the provider answered, but not in the shape that it promises.
 * `unavailable` with `provider_refused`: the provider will not answer for this connection, however often it is asked.
 */
export type ReadResult<Data> =
  | { readonly type: 'ok'; readonly data: Data }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
  | { readonly type: 'contract_broken'; readonly reason: string }

/** The interface that every provider adapter implements. */
export type Provider = {
  /** False if the adapter has no row for the kind: ask before claiming. */
  supports(kind: OperationKind): boolean
  /** The provider's promises about deadlines; null if its contract makes none. */
  readonly deadlines: DeadlinePromise | null
  /** The one attempt. No retries, no redirects; resolves within `timeoutMs` and a tick. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /** Proof by a read; moves nothing. */
  lookup(request: LookupRequest): Promise<LookupResult>
  /** True if `prepareApproval` may ask for a person: an operation of the kind then starts in `requires_action`. */
  mayAskApproval(kind: OperationKind): boolean
  /** Asks whether a person has to approve the mutation, and where; moves nothing, idempotent by `reference`. */
  prepareApproval(request: ApprovalRequest): Promise<PreparedApproval>
  /** Reads the state of an approval; moves nothing. */
  pollApproval(request: ApprovalPoll): Promise<PolledApproval>
  /** Opens the provider's page that shows a card's number; moves nothing, idempotent by `reference`. */
  startCardReveal(request: CardRevealRequest): Promise<StartedHostedSession>
  /** Status of the provider's check of the person's identity. */
  identityStatus(request: CallContext): Promise<ReadResult<IdentityStatus>>
  /** Opens the provider's page for the check of a person's identity; moves nothing, idempotent by `reference`. */
  startIdentityCheck(request: IdentityCheckRequest): Promise<StartedHostedSession>
  accounts(request: CallContext): Promise<ReadResult<readonly ProviderAccount[]>>
  spendingAccount(request: CallContext): Promise<ReadResult<SpendingAccount>>
  /**
   * Null: the provider states no limits for this query, and a withdrawal to such a beneficiary is refused before it is submitted. Limits
   * grant nothing: the provider validates each submission again.
   */
  withdrawalLimits(request: WithdrawalLimitsQuery): Promise<ReadResult<WithdrawalLimits | null>>
  activity(request: ActivityQuery): Promise<ReadResult<ActivityPage>>
  virtualAccountEconomics(request: CallContext): Promise<ReadResult<readonly VirtualAccountEconomics[]>>
  transferQuote(request: TransferQuoteRequest): Promise<ReadResult<Quoted<TransferQuote, TransferQuoteMember>>>
  purchasableServices(request: AnonymousCallContext): Promise<ReadResult<readonly PurchasableService[]>>
  purchaseQuote(request: PurchaseQuoteRequest): Promise<ReadResult<Quoted<ProviderPurchaseQuote, PurchaseQuoteMember>>>
  /** Newest first. */
  purchases(request: CallContext): Promise<ReadResult<readonly ProviderPurchase[]>>
  assets(request: AnonymousCallContext): Promise<ReadResult<readonly Asset[]>>
  /** Prices in the currency; an empty list if the provider has none in it. */
  fiatPrices(request: FiatPricesQuery): Promise<ReadResult<readonly FiatPrice[]>>
  payoutSchemas(request: CallContext): Promise<ReadResult<readonly PayoutSchema[]>>
  addressCountries(request: CallContext): Promise<ReadResult<readonly AddressCountry[]>>
  /** Starts a device authentication; moves nothing. */
  startDeviceAuthentication(request: DeviceAuthenticationStart): Promise<StartedDeviceAuthentication>
  /** Reads the state of a device authentication; moves nothing. */
  pollDeviceAuthentication(request: DeviceAuthenticationPoll): Promise<PolledDeviceAuthentication>
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>
}
