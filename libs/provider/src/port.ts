/**
 * The provider port: everything the system ever asks of a provider. An adapter implements `Provider`; nothing else in
 * the repository knows a provider's own words.
 *
 * Invariant: one call of `submit` puts the mutation on the wire at most once, and every outcome says no more than the
 * adapter can prove. Doubt is always `uncertain`, `ambiguous` or `unavailable`; an adapter never throws for anything
 * that the provider or the network does.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { ProviderAccount, SpendingAccount, WithdrawalLimits, WithdrawalLimitsQuery } from './account-reads.ts'
import type { ActivityPage, ActivityQuery } from './activity-reads.ts'
import type { ApprovalPoll, ApprovalRequest, PolledApproval, PreparedApproval } from './approval.ts'
import type { CardRevealRequest, IdentityCheckRequest, StartedHostedSession } from './hosted-session.ts'
import type { IdentityStatus } from './identity.ts'
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
  /** The provider will not execute it because of what the payload says. */
  'provider_rejected_details',
  /** The provider did not accept the binding's credentials; it executed nothing. */
  'provider_authentication_failed',
  /** The provider has to know first, or again, who the person is; it executed nothing. */
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
] as const

export type ProviderFailureCode = (typeof providerFailureCodes)[number]

/** What every call carries, also one that nobody's credentials stand behind yet. */
export type AnonymousCallContext = {
  /** For the whole call, from now to the last byte of the answer. */
  readonly timeoutMs: number
  /** W3C trace headers (`traceparent`, `tracestate`) to send along. */
  readonly traceHeaders?: Readonly<Record<string, string>>
}

/** What every call for a person carries. */
export type CallContext = AnonymousCallContext & {
  /** Opaque to everyone but the adapter: what the provider binding holds, unsealed. Never logged, never in a result. */
  readonly credentials: string
}

/** The provider's own reference of the resource that a mutation names: the `upstreamReference` of the operation that created it. */
export type SubmissionTarget = { readonly upstreamReference: string }

/** One mutation. */
export type Submission = CallContext & {
  readonly kind: OperationKind
  /** Our operation id, committed before this call and sent with it, so that a lost answer can be looked up. */
  readonly reference: string
  /**
   * The accepted request body in the contract's words; `{}` where the route has none. Identifiers of ours in it
   * (`beneficiary_id`) mean nothing to a provider and are not sent.
   */
  readonly payload: Readonly<Record<string, unknown>>
  /** Given for the kinds whose `kindFacts` row has a `target`; without it such a kind is `submission_invalid`, unsent. */
  readonly target?: SubmissionTarget | undefined
}

/**
 * Facts about the resource that only the provider knows, never personal data: of a card that was made `brand` and `last_four`;
 * of a freeze or an unfreeze `changed_at`, when the provider made it, by one clock for all changes of a card (RFC 3339). A
 * freeze and an unfreeze may be under way together: without `changed_at` the card is not taken for frozen afterwards.
 */
export type ResourceFacts = Readonly<Record<string, string>>

/** What became of the one attempt. `failureDetail` is our own words: public, without personal data. */
export type SubmitOutcome =
  /** The provider executed the mutation; it is final. */
  | { readonly type: 'succeeded'; readonly upstreamReference: string; readonly resource?: ResourceFacts }
  /** The provider accepted it; final settlement is pending. */
  | { readonly type: 'submitted'; readonly upstreamReference: string }
  /** Definitive: the provider did not execute it and will not. */
  | { readonly type: 'failed'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  /** Proven: no byte of the request was sent, and none will be. */
  | { readonly type: 'unsent'; readonly failureCode: 'provider_unreachable'; readonly failureDetail: string }
  /** Everything after the first byte may have gone. Only reads may follow. */
  | { readonly type: 'uncertain'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }

export type LookupRequest = CallContext & {
  readonly kind: OperationKind
  readonly reference: string
  /** The provider's own reference where an answer once gave it. */
  readonly upstreamReference: string | null
  /**
   * As in the submission, where it is known. It is not needed for proof by our reference; with it a state that nothing
   * leaves (a closed card, a revoked mandate) proves too.
   */
  readonly target?: SubmissionTarget | undefined
}

/**
 * What a read by our reference says. `read` names the read (`beneficiary_by_reference`); `observed` is the canonical
 * text of what it said, to be hashed as evidence: equal facts give equal text, and no personal data is in it.
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
   * Says only that the provider shows nothing now: never proof that it did not or will not execute. It comes of a complete
   * answer; where one was incomplete it is `unavailable`.
   */
  | { readonly type: 'not_found'; readonly read: string; readonly observed: string }
  /** More than one record, or a record that contradicts what was asked or itself: for an operator. */
  | { readonly type: 'ambiguous'; readonly read: string; readonly reason: string; readonly observed: string }
  /** The read itself failed; it proves nothing and may be repeated. */
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/**
 * A read that moves nothing. `contract_broken`: it answered, but not in the shape that it promises. `unavailable` with
 * `provider_refused`: it will not answer for this connection, however often it is asked.
 */
export type ReadResult<Data> =
  | { readonly type: 'ok'; readonly data: Data }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
  | { readonly type: 'contract_broken'; readonly reason: string }

/** A country that the provider accepts in addresses (contract, "Address-country list"); wire names. */
export type AddressCountry = { readonly code: string; readonly alpha3: string; readonly name: string }

/** One field of a payout schema's `details`. */
export type PayoutField = {
  readonly key: string
  readonly label: string
  readonly type: 'string' | 'enum'
  /** A regular expression of the ECMAScript `u` flavour, to match the whole value; anchored by the adapter. */
  readonly pattern: string | null
  readonly min_length: number | null
  readonly max_length: number | null
  /** The allowed values; present exactly for `enum`. */
  readonly options: readonly string[] | null
  readonly required: boolean
}

/** How one country's payouts name an account; wire names, as the API shows it. */
export type PayoutSchema = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly rail: string
  readonly fields: readonly PayoutField[]
  /** Values that the fields accept. */
  readonly example_details: Readonly<Record<string, string>>
}

export type DeviceAuthenticationStart = AnonymousCallContext & {
  /**
   * Where the hosted page sends the browser in which it was decided; nothing is added to it, and nobody else learns it:
   * it is how the browser that decided is told from the one that set out.
   */
  readonly returnUrl: string
  /** Ours, unguessable: the same again gives the same device authentication. */
  readonly reference: string
}

/** The person approves at the provider's own page; nothing is known of them before that. */
export type StartedDeviceAuthentication =
  | {
      readonly type: 'started'
      /** Asks for the result, credentials included: a secret of whoever started it, never of the browser. */
      readonly authentication: string
      /** The hosted page, for the browser. */
      readonly hostedUrl: string
      readonly expiresAt: Date
    }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** Whose account it is, as the provider shows the person. Display only, but for `reference`. */
export type ProviderCustomer = {
  /** The provider's own, the same each time the same person comes. */
  readonly reference: string
  readonly displayName: string | null
  /** BCP 47. */
  readonly locale: string
  /** IANA. */
  readonly timezone: string
}

/** What became of a device authentication. An answer in doubt is `unavailable`, and may be asked for again. */
export type PolledDeviceAuthentication =
  | { readonly type: 'pending' }
  /** The same again as often as it is asked for: what was lost with its reader is not lost. */
  | { readonly type: 'approved'; readonly credentials: string; readonly customer: ProviderCustomer }
  | { readonly type: 'declined' }
  | { readonly type: 'expired' }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** What any provider adapter implements. */
export type Provider = {
  /** False where the adapter has no row for the kind: ask before claiming. */
  supports(kind: OperationKind): boolean
  /** The one attempt. No retries, no redirects; resolves within `timeoutMs` and a tick. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /** Proof by a read; moves nothing. */
  lookup(request: LookupRequest): Promise<LookupResult>
  /** True where `prepareApproval` may ask for a person: an operation of the kind then starts in `requires_action`. */
  mayAskApproval(kind: OperationKind): boolean
  /** Asks whether a person has to approve the mutation, and where; moves nothing, idempotent by `reference`. */
  prepareApproval(request: ApprovalRequest): Promise<PreparedApproval>
  /** Reads what became of an approval; moves nothing. */
  pollApproval(request: ApprovalPoll): Promise<PolledApproval>
  /** Opens the provider's page that shows a card's number; moves nothing, idempotent by `reference`. */
  startCardReveal(request: CardRevealRequest): Promise<StartedHostedSession>
  /** How far the provider knows who the person is. */
  identityStatus(request: CallContext): Promise<ReadResult<IdentityStatus>>
  /** Opens the provider's page at which a person shows who they are; moves nothing, idempotent by `reference`. */
  startIdentityCheck(request: IdentityCheckRequest): Promise<StartedHostedSession>
  accounts(request: CallContext): Promise<ReadResult<readonly ProviderAccount[]>>
  spendingAccount(request: CallContext): Promise<ReadResult<SpendingAccount>>
  /** Null: the provider states none for what was asked. They grant nothing: the submission is judged again. */
  withdrawalLimits(request: WithdrawalLimitsQuery): Promise<ReadResult<WithdrawalLimits | null>>
  activity(request: ActivityQuery): Promise<ReadResult<ActivityPage>>
  virtualAccountEconomics(request: CallContext): Promise<ReadResult<readonly VirtualAccountEconomics[]>>
  transferQuote(request: TransferQuoteRequest): Promise<ReadResult<Quoted<TransferQuote, TransferQuoteMember>>>
  purchasableServices(request: AnonymousCallContext): Promise<ReadResult<readonly PurchasableService[]>>
  purchaseQuote(request: PurchaseQuoteRequest): Promise<ReadResult<Quoted<ProviderPurchaseQuote, PurchaseQuoteMember>>>
  /** Newest first. */
  purchases(request: CallContext): Promise<ReadResult<readonly ProviderPurchase[]>>
  assets(request: AnonymousCallContext): Promise<ReadResult<readonly Asset[]>>
  /** Those in the currency; none where the provider has no price in it. */
  fiatPrices(request: FiatPricesQuery): Promise<ReadResult<readonly FiatPrice[]>>
  payoutSchemas(request: CallContext): Promise<ReadResult<readonly PayoutSchema[]>>
  addressCountries(request: CallContext): Promise<ReadResult<readonly AddressCountry[]>>
  /** Asks for a device authentication; moves nothing. */
  startDeviceAuthentication(request: DeviceAuthenticationStart): Promise<StartedDeviceAuthentication>
  /** Reads what became of one; moves nothing. */
  pollDeviceAuthentication(
    request: AnonymousCallContext & { readonly authentication: string },
  ): Promise<PolledDeviceAuthentication>
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>
}
