// Written by `pnpm gen` from libs/api/contract; change the table it comes from.

/** The methods of the client, by resource. */

import type { CallOptions, TrackedOperation, WriteOptions } from '../call-options.ts'
import type { Pages } from '../pages.ts'
import type {
  Account,
  ActivityItem,
  ActivitySource,
  AddressCountries,
  Asset,
  Authorization,
  Beneficiary,
  Card,
  CardActivityItem,
  CardReveal,
  ConfirmationIntent,
  CreateBeneficiaryRequest,
  CreateCardRequest,
  CreateConfirmationIntentRequest,
  CreateMandateRequest,
  CreateMandateTransferRequest,
  CreatePurchaseQuoteRequest,
  CreateTransferQuoteRequest,
  CreateWebhookSubscriptionRequest,
  CreateWithdrawalRequest,
  CreatedWebhookSubscription,
  FiatPrice,
  Health,
  Identity,
  Kyc,
  KycSession,
  Mandate,
  Metadata,
  Onboarding,
  OpenapiDocument,
  Operation,
  OperationKind,
  OperationState,
  PaymentCheck,
  PayoutSchema,
  PublicConfig,
  Purchase,
  PurchaseQuote,
  RotatedWebhookSubscription,
  Service,
  ServiceConnection,
  SpendingAccount,
  Transfer,
  TransferQuote,
  VirtualAccountEconomics,
  WebhookDelivery,
  WebhookSubscription,
  WithdrawalLimits,
} from './types.ts'

/** `agent.system` */
export type SystemResource = {
  /**
   * Read the health of this gateway: `GET /v1/health`. `degraded` means that protected requests are refused for now. The gateway asks no other service, so frequent polling is cheap. Needs no credentials.
   *
   * @see routes.md of the contract, `getHealth`
   */
  health(options?: CallOptions): Promise<Health>
  /**
   * Read the metadata of this environment: `GET /v1/metadata`. Needs no credentials.
   *
   * @see routes.md of the contract, `getMetadata`
   */
  metadata(options?: CallOptions): Promise<Metadata>
  /**
   * List the capabilities of this environment: `GET /v1/public-config`. All capabilities are unavailable until the environment enables them. `GET /v1/services` says which operations the provider of an owner offers; another one is refused with `capability_unavailable`. Needs no credentials.
   *
   * @see routes.md of the contract, `getPublicConfig`
   */
  publicConfig(options?: CallOptions): Promise<PublicConfig>
  /**
   * This document: `GET /v1/openapi.json`. It changes only with a release: ask again with `If-None-Match`. Needs no credentials.
   *
   * @see routes.md of the contract, `getOpenapi`
   */
  openapi(options?: CallOptions): Promise<OpenapiDocument>
}

/** `agent.authorization` */
export type AuthorizationResource = {
  /**
   * Read the current grant and what it delegates: `GET /v1/authorization`. Scope: `authorization:read`.
   *
   * @see routes.md of the contract, `getAuthorization`
   */
  get(options?: CallOptions): Promise<Authorization>
}

/** `agent.confirmations` */
export type ConfirmationsResource = {
  /**
   * Ask the owner to confirm one request: `POST /v1/confirmation-intents`. Name the request exactly as you will send it. If the request would be refused now, it is refused here with the same problem, and the paths in `fields` start at `request`. Hand `confirmation_url` to the owner, who signs in again, reads `summary` and decides. Poll the intent meanwhile. The intent is bound to this grant, to this request and to the current provider connection, can be used once, and expires ten minutes after its creation. In addition to one of these scopes, you need the scope of the action. Scope: `spending:withdraw` or `services:read`.
   *
   * @throws ApiProblem `malformed_json`, `malformed_request`, `invalid_token`, `invalid_dpop_proof`, `use_dpop_nonce`, `insufficient_scope`, `capability_unavailable`, `method_not_allowed`, `request_timeout`, `provider_connection_unavailable`, `resource_busy`, `mandate_not_active`, `mandate_revocation_in_progress`, `mandate_already_revoked`, `grant_ceiling_exceeded`, `payload_too_large`, `unsupported_media_type`, `expectation_failed`, `validation_failed`, `rate_limited`, `request_header_too_large`, `internal_error`, `response_contract_failed`, `authorization_unavailable`, `provider_unavailable`, `service_unavailable`, and those of every call
   * @see routes.md of the contract, `createConfirmationIntent`
   */
  create(body: CreateConfirmationIntentRequest, options?: CallOptions): Promise<ConfirmationIntent>
  /**
   * Read a confirmation intent: `GET /v1/confirmation-intents/{intent_id}`. Poll it after `poll_after_ms` until its status is `confirmed` or `declined`. Scope: `spending:withdraw` or `services:read`.
   *
   * @throws ApiProblem `confirmation_intent_not_found`, and those of every call
   * @see routes.md of the contract, `getConfirmationIntent`
   */
  get(intentId: string, options?: CallOptions): Promise<ConfirmationIntent>
}

/** `agent.identity` */
export type IdentityResource = {
  /**
   * Read the display preferences of the owner: `GET /v1/identity`. Display preferences only. Nothing here proves the identity of the owner. The subject is pairwise: each client sees a different subject for the same owner. Scope: `identity:read`.
   *
   * @see routes.md of the contract, `getIdentity`
   */
  get(options?: CallOptions): Promise<Identity>
}

/** `agent.operations` */
export type OperationsResource = {
  /**
   * List operations, newest first: `GET /v1/operations`. Returns at most the 100 newest matches; there is no cursor. `idempotency_key` finds the operation of a lost response. Scope: `operations:read`.
   *
   * @see routes.md of the contract, `listOperations`
   */
  list(query?: {
    /** Only operations in this state. */
    state?: OperationState
    /** Only operations of this kind. */
    kind?: OperationKind
    /** Only operations that concern this resource. */
    resource_id?: string
    /** Only the operation that was started with this key. 16 to 200 characters. */
    idempotency_key?: string
    /** Only operations that were accepted after this time. RFC 3339. */
    created_after?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Operation>
  /**
   * Read an operation: `GET /v1/operations/{id}`. A read never submits anything. If the operation is `indeterminate`, keep reading it. Do not repeat the write, and do not use a new key. Scope: `operations:read`.
   *
   * @throws ApiProblem `operation_not_found`, and those of every call
   * @see routes.md of the contract, `getOperation`
   */
  get(id: string, options?: CallOptions): Promise<TrackedOperation>
  /**
   * Read the state of the approval of an operation: `POST /v1/operations/{operation_id}/approval/poll`. For an operation with `action_required`, after `poll_after_ms`. After the approval the operation continues, exactly once. Repeated polls never start another one. Scope: `operations:read`.
   *
   * @throws ApiProblem `operation_not_found`, and those of every call
   * @see routes.md of the contract, `pollOperationApproval`
   */
  pollApproval(operationId: string, options?: CallOptions): Promise<TrackedOperation>
}

/** `agent.payments` */
export type PaymentsResource = {
  /**
   * List transfers, newest first: `GET /v1/transfers`. Withdrawals and transfers under mandates that this client made for the owner. Scope: `operations:read`.
   *
   * @see routes.md of the contract, `listTransfers`
   */
  list(query?: {
    /** Only transfers under this mandate. */
    mandate_id?: string
    /** Only transfers to this beneficiary. */
    beneficiary_id?: string
    /** Only transfers in this state. */
    state?: OperationState
    /** Only transfers that were accepted after this time. RFC 3339. */
    created_after?: string
    /** Only transfers that were accepted before this time. RFC 3339. */
    created_before?: string
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Transfer>
  /**
   * Read a transfer: `GET /v1/transfers/{transfer_id}`. Scope: `operations:read`.
   *
   * @throws ApiProblem `transfer_not_found`, and those of every call
   * @see routes.md of the contract, `getTransfer`
   */
  get(transferId: string, options?: CallOptions): Promise<Transfer>
}

/** `agent.webhooks` */
export type WebhooksResource = {
  /**
   * Subscribe to notifications of operations: `POST /v1/webhook-subscriptions`. Only this response shows `secret`. The address must be https on port 443 on the public internet. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhooks_unavailable`, `webhook_subscription_limit_reached`, and those of every call
   * @see routes.md of the contract, `createWebhookSubscription`
   */
  create(body: CreateWebhookSubscriptionRequest, options?: CallOptions): Promise<CreatedWebhookSubscription>
  /**
   * List webhook subscriptions: `GET /v1/webhook-subscriptions`. Scope: `operations:read`.
   *
   * @see routes.md of the contract, `listWebhookSubscriptions`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<WebhookSubscription>
  /**
   * Read a webhook subscription: `GET /v1/webhook-subscriptions/{id}`. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhook_subscription_not_found`, and those of every call
   * @see routes.md of the contract, `getWebhookSubscription`
   */
  get(id: string, options?: CallOptions): Promise<WebhookSubscription>
  /**
   * Delete a webhook subscription: `DELETE /v1/webhook-subscriptions/{id}`. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhook_subscription_not_found`, and those of every call
   * @see routes.md of the contract, `deleteWebhookSubscription`
   */
  delete(id: string, options?: CallOptions): Promise<void>
  /**
   * Replace the secret of a webhook subscription: `POST /v1/webhook-subscriptions/{id}/rotate-secret`. Only this response shows the new `secret`. For one day each delivery has two `v1` signatures in `webhook-signature`, by the new secret and by the previous one; `webhook-id` stays the same. Give your receiver both secrets, and remove the previous one when that day is over. A repetition within the day replaces only the new secret, so it is safe after a lost answer. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhooks_unavailable`, `webhook_subscription_not_found`, and those of every call
   * @see routes.md of the contract, `rotateWebhookSecret`
   */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedWebhookSubscription>
  /**
   * List the notifications of a subscription: `GET /v1/webhook-subscriptions/{id}/deliveries`. Newest first. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhook_subscription_not_found`, and those of every call
   * @see routes.md of the contract, `listWebhookDeliveries`
   */
  deliveries(id: string, query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<WebhookDelivery>
  /**
   * Send a notification again: `POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend`. At once, whatever became of it before, with the same `webhook-id`: a receiver that keeps these takes it as a repetition. A delivery that is being sent now is left to that attempt. A failed attempt is repeated if retries are left. A disabled subscription gets nothing. Scope: `operations:read`.
   *
   * @throws ApiProblem `webhooks_unavailable`, `webhook_subscription_not_found`, `webhook_delivery_not_found`, and those of every call
   * @see routes.md of the contract, `resendWebhookDelivery`
   */
  resend(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>
}

/** `agent.onboarding` */
export type OnboardingResource = {
  /**
   * Read the onboarding state of the owner: `GET /v1/onboarding`. Answered from our own records, without a call to the provider. Scope: `kyc:read`.
   *
   * @see routes.md of the contract, `getOnboarding`
   */
  get(options?: CallOptions): Promise<Onboarding>
}

/** `agent.connection` */
export type ConnectionResource = {
  /**
   * Read the owner's connection to the provider: `GET /v1/service-connections/current`. Scope: `services:read`.
   *
   * @throws ApiProblem `service_connection_not_found`, and those of every call
   * @see routes.md of the contract, `getServiceConnection`
   */
  get(options?: CallOptions): Promise<ServiceConnection>
  /**
   * Disconnect the provider: `DELETE /v1/service-connections/current`. Ends the connection for every client of the owner, and starts an operation of kind `transfer_grant_revoke`. 204 guarantees that no accepted write is submitted over the connection any more. Until that is confirmed, the answer is 503 `service_unavailable`. Not keyed: the same request with the same confirmation may be repeated, and answers 204 again. Scope: `services:read`. The owner confirms it: `onOwnerNeeded` gets the address.
   *
   * @throws ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `service_connection_not_found`, `confirmation_already_used`, `confirmation_expired`, `resource_busy`, and those of every call
   * @see routes.md of the contract, `disconnectService`
   */
  disconnect(options?: CallOptions): Promise<void>
}

/** `agent.kyc` */
export type KycResource = {
  /**
   * Read the verification status of the owner: `GET /v1/kyc`. The only source of the verification status. It contains no evidence. Scope: `kyc:read`.
   *
   * @throws ApiProblem `provider_connection_unavailable`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getKyc`
   */
  get(options?: CallOptions): Promise<Kyc>
  /**
   * Open a visit to the page that verifies the owner: `POST /v1/kyc/sessions`. Hand `action_required.url` to the owner. Not keyed: while a visit is open, the same client gets the same visit. Scope: `kyc:read`.
   *
   * @throws ApiProblem `provider_connection_unavailable`, `kyc_session_unavailable`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createKycSession`
   */
  startSession(options?: CallOptions): Promise<KycSession>
}

/** `agent.accounts` */
export type AccountsResource = {
  /**
   * List accounts: `GET /v1/accounts`. Scope: `accounts:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listAccounts`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Account>
  /**
   * Read an account: `GET /v1/accounts/{account_id}`. Scope: `accounts:read`.
   *
   * @throws ApiProblem `account_not_found`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getAccount`
   */
  get(accountId: string, options?: CallOptions): Promise<Account>
  /**
   * Read the withdrawal limits of a payout schema: `GET /v1/accounts/withdrawal-limits`. The limits grant no authority to withdraw. Scope: `accounts:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getWithdrawalLimits`
   */
  withdrawalLimits(query: {
    /** The payout schema. 1 to 512 characters. */
    schema: string
    /** Only limits for this currency (ISO 4217). */
    currency?: string
    /** Only limits for accounts of this type. 1 to 128 characters. */
    account_type?: string
  }, options?: CallOptions): Promise<WithdrawalLimits>
}

/** `agent.activity` */
export type ActivityResource = {
  /**
   * List movements of money, newest first: `GET /v1/activity`. Sanitised: without account or card numbers, and without provider data. `from` is inclusive, `to` is exclusive. Scope: `activity:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listActivity`
   */
  list(query?: {
    /** The start of the period, inclusive. RFC 3339. */
    from?: string
    /** The end of the period, exclusive. RFC 3339. */
    to?: string
    /** Only movements of this source. */
    source?: ActivitySource
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<ActivityItem>
}

/** `agent.beneficiaries` */
export type BeneficiariesResource = {
  /**
   * Create a beneficiary: `POST /v1/beneficiaries`. `details` holds the fields that the payout schema requires. Responses contain only masks of them. Scope: `beneficiaries:write`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createBeneficiary`
   */
  create(body: CreateBeneficiaryRequest, options: WriteOptions): Promise<TrackedOperation>
  /**
   * List beneficiaries: `GET /v1/beneficiaries`. Scope: `beneficiaries:read`.
   *
   * @see routes.md of the contract, `listBeneficiaries`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Beneficiary>
  /**
   * Read a beneficiary: `GET /v1/beneficiaries/{beneficiary_id}`. Scope: `beneficiaries:read`.
   *
   * @throws ApiProblem `beneficiary_not_found`, and those of every call
   * @see routes.md of the contract, `getBeneficiary`
   */
  get(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary>
  /**
   * List the fees of virtual accounts: `GET /v1/beneficiaries/virtual-account-economics`. Scope: `beneficiaries:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getVirtualAccountEconomics`
   */
  virtualAccountEconomics(options?: CallOptions): Promise<VirtualAccountEconomics>
  /**
   * List the countries that an address can be in: `GET /v1/beneficiaries/address-countries`. Scope: `beneficiaries:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listAddressCountries`
   */
  addressCountries(options?: CallOptions): Promise<AddressCountries>
}

/** `agent.payoutSchemas` */
export type PayoutSchemasResource = {
  /**
   * List payout schemas: `GET /v1/beneficiaries/payout-schemas`. Payout methods, each with the fields that it requires. Scope: `beneficiaries:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listPayoutSchemas`
   */
  list(query?: {
    /** Only payout schemas for this country (ISO 3166-1 alpha-2). */
    country?: string
    /** Only payout schemas for this currency (ISO 4217). */
    currency?: string
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<PayoutSchema>
  /**
   * Read a payout schema: `GET /v1/beneficiaries/payout-schemas/{payout_schema_id}`. Scope: `beneficiaries:read`.
   *
   * @throws ApiProblem `payout_schema_not_found`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getPayoutSchema`
   */
  get(payoutSchemaId: string, options?: CallOptions): Promise<PayoutSchema>
}

/** `agent.mandates` */
export type MandatesResource = {
  /**
   * Create a mandate: `POST /v1/mandates`. Delegates payments to one beneficiary, within caps, until it expires. Every cap is required, and no cap may exceed the next: payment, day, week, month, total. A cap may have an exponent from -18 to 18; written out, it has at most 18 digits before the point and 18 after it, and is no finer than the smallest unit of the currency. Caps above a ceiling of the grant are refused. The owner may have to approve the mandate at the provider (`requires_action`). Scope: `spending:withdraw`. The owner confirms it: `onOwnerNeeded` gets the address. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `confirmation_already_used`, `confirmation_expired`, `grant_ceiling_exceeded`, and those of every call
   * @see routes.md of the contract, `createMandate`
   */
  create(body: CreateMandateRequest, options: WriteOptions): Promise<TrackedOperation>
  /**
   * List mandates: `GET /v1/mandates`. The mandates that this client created or is authorised to pay under. Scope: `authorization:read`.
   *
   * @see routes.md of the contract, `listMandates`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Mandate>
  /**
   * Read a mandate and its remaining caps: `GET /v1/mandates/{mandate_id}`. Scope: `authorization:read`.
   *
   * @throws ApiProblem `mandate_not_found`, and those of every call
   * @see routes.md of the contract, `getMandate`
   */
  get(mandateId: string, options?: CallOptions): Promise<Mandate>
  /**
   * Suspend a mandate: `POST /v1/mandates/{mandate_id}/suspend`. Stops transfers that have not been submitted yet. If the operation fails, the mandate is suspended all the same, and can still be revoked. Scope: `spending:withdraw`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `mandate_not_found`, `resource_busy`, `mandate_not_active`, and those of every call
   * @see routes.md of the contract, `suspendMandate`
   */
  suspend(mandateId: string, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Revoke a mandate: `POST /v1/mandates/{mandate_id}/revoke`. A transition, not a deletion. It stops transfers that have not been submitted yet. Scope: `spending:withdraw`. The owner confirms it: `onOwnerNeeded` gets the address. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `mandate_not_found`, `confirmation_already_used`, `confirmation_expired`, `resource_busy`, `mandate_not_active`, `mandate_revocation_in_progress`, `mandate_already_revoked`, and those of every call
   * @see routes.md of the contract, `revokeMandate`
   */
  revoke(mandateId: string, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Pay under a mandate: `POST /v1/mandates/{mandate_id}/transfers`. Before acceptance, the amount is reserved against every cap of the mandate and against the ceilings of the grant. An amount with an unknown outcome counts as spent. Scope: `spending:withdraw`. Needs the capability `transfers.execute`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `mandate_client_not_authorized`, `mandate_rule_not_authorized`, `mandate_not_found`, `mandate_not_active`, `mandate_cap_exceeded`, `grant_ceiling_exceeded`, and those of every call
   * @see routes.md of the contract, `createMandateTransfer`
   */
  pay(mandateId: string, body: CreateMandateTransferRequest, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Check a payment under a mandate before it is made: `POST /v1/mandates/{mandate_id}/transfers/check`. The same checks as those of the payment, over the same body. Scope: `spending:withdraw`. Needs the capability `transfers.execute`.
   *
   * @throws ApiProblem `mandate_not_found`, and those of every call
   * @see routes.md of the contract, `checkMandateTransfer`
   */
  checkPayment(mandateId: string, body: CreateMandateTransferRequest, options?: CallOptions): Promise<PaymentCheck>
}

/** `agent.cards` */
export type CardsResource = {
  /**
   * Create a card: `POST /v1/cards`. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.
   *
   * @see routes.md of the contract, `createCard`
   */
  create(body: CreateCardRequest, options: WriteOptions): Promise<TrackedOperation>
  /**
   * List cards: `GET /v1/cards`. Scope: `cards:read`.
   *
   * @see routes.md of the contract, `listCards`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Card>
  /**
   * Read a card: `GET /v1/cards/{card_id}`. The response never contains the card number. Scope: `cards:read`.
   *
   * @throws ApiProblem `card_not_found`, and those of every call
   * @see routes.md of the contract, `getCard`
   */
  get(cardId: string, options?: CallOptions): Promise<Card>
  /**
   * List movements on a card, newest first: `GET /v1/cards/{card_id}/activity`. Sanitised. `from` is inclusive, `to` is exclusive. Scope: `cards:read`.
   *
   * @throws ApiProblem `card_not_found`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listCardActivity`
   */
  activity(cardId: string, query?: {
    /** The start of the period, inclusive. RFC 3339. */
    from?: string
    /** The end of the period, exclusive. RFC 3339. */
    to?: string
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<CardActivityItem>
  /**
   * Freeze a card: `POST /v1/cards/{card_id}/freeze`. Accepted for an active card, and while an unfreeze is not settled. After both have settled, the card has the state of the last change at the provider. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `card_not_found`, `resource_busy`, `card_not_active`, and those of every call
   * @see routes.md of the contract, `freezeCard`
   */
  freeze(cardId: string, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Unfreeze a card: `POST /v1/cards/{card_id}/unfreeze`. Accepted only after every other operation on the card has settled. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `card_not_found`, `resource_busy`, `card_not_frozen`, and those of every call
   * @see routes.md of the contract, `unfreezeCard`
   */
  unfreeze(cardId: string, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Close a card: `POST /v1/cards/{card_id}/close`. Accepted after the card has been made, even while a freeze or an unfreeze is not settled. A closed card cannot be opened again. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `card_not_found`, `resource_busy`, `card_not_active`, `card_already_closed`, and those of every call
   * @see routes.md of the contract, `closeCard`
   */
  close(cardId: string, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Open a visit to the provider's page that shows the number: `POST /v1/cards/{card_id}/reveals`. Only that page shows the number; this API never does. Hand `action_required.url` to the owner. Each request opens a new visit. Scope: `cards:manage`. Needs the capability `cards.reveal`.
   *
   * @throws ApiProblem `card_not_found`, `card_not_active`, `card_reveal_refused`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createCardReveal`
   */
  reveal(cardId: string, options?: CallOptions): Promise<CardReveal>
}

/** `agent.spending` */
export type SpendingResource = {
  /**
   * Read the spending account: `GET /v1/spending-account`. Scope: `spending:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getSpendingAccount`
   */
  get(options?: CallOptions): Promise<SpendingAccount>
  /**
   * Withdraw from the spending account: `POST /v1/spending-account/withdrawals`. Checked against the limits of the provider and the ceilings of the grant. A withdrawal has no resource of its own: read its operation. Scope: `spending:withdraw`. Needs the capability `transfers.execute`. The owner confirms it if the policy of the grant says so. Durable: repeat it with the same `intent` after a crash.
   *
   * @throws ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `confirmation_already_used`, `confirmation_expired`, `grant_ceiling_exceeded`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createWithdrawal`
   */
  pay(body: CreateWithdrawalRequest, options: WriteOptions): Promise<TrackedOperation>
  /**
   * Check a withdrawal before it is made: `POST /v1/spending-account/withdrawals/check`. The same checks as those of the withdrawal, over the same body. Scope: `spending:withdraw`. Needs the capability `transfers.execute`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `checkWithdrawal`
   */
  checkPayment(body: CreateWithdrawalRequest, options?: CallOptions): Promise<PaymentCheck>
}

/** `agent.quotes` */
export type QuotesResource = {
  /**
   * Quote a transfer: `POST /v1/quotes`. Indicative: a quote cannot be executed. Not keyed. Scope: `transfers:quote`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createTransferQuote`
   */
  create(body: CreateTransferQuoteRequest, options?: CallOptions): Promise<TransferQuote>
}

/** `agent.purchases` */
export type PurchasesResource = {
  /**
   * Quote a purchase: `POST /v1/purchases/quotes`. Indicative: a quote cannot be executed. Not keyed. Scope: `purchases:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `createPurchaseQuote`
   */
  createQuote(body: CreatePurchaseQuoteRequest, options?: CallOptions): Promise<PurchaseQuote>
  /**
   * Read a purchase quote: `GET /v1/purchases/quotes/{quote_id}`. Scope: `purchases:read`.
   *
   * @throws ApiProblem `purchase_quote_not_found`, and those of every call
   * @see routes.md of the contract, `getPurchaseQuote`
   */
  getQuote(quoteId: string, options?: CallOptions): Promise<PurchaseQuote>
  /**
   * List purchases: `GET /v1/purchases`. Scope: `purchases:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listPurchases`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Purchase>
  /**
   * Read a purchase: `GET /v1/purchases/{purchase_id}`. Scope: `purchases:read`.
   *
   * @throws ApiProblem `purchase_not_found`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getPurchase`
   */
  get(purchaseId: string, options?: CallOptions): Promise<Purchase>
}

/** `agent.services` */
export type ServicesResource = {
  /**
   * List services, with the uses that the grant allows: `GET /v1/services`. Scope: `services:read`.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listServices`
   */
  list(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Service>
  /**
   * Read a service, with the uses that the grant allows: `GET /v1/services/{service_id}`. Scope: `services:read`.
   *
   * @throws ApiProblem `service_not_found`, `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `getService`
   */
  get(serviceId: string, options?: CallOptions): Promise<Service>
}

/** `agent.referenceData` */
export type ReferenceDataResource = {
  /**
   * List assets: `GET /v1/reference-data/assets`. Public. Needs no credentials.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listAssets`
   */
  assets(query?: {
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<Asset>
  /**
   * List the prices of assets in a currency: `GET /v1/reference-data/fiat-prices`. Public. Needs no credentials.
   *
   * @throws ApiProblem `provider_unavailable`, and those of every call
   * @see routes.md of the contract, `listFiatPrices`
   */
  fiatPrices(query?: {
    /** At most 50 codes, separated by commas; by default all assets. At most 700 characters. */
    assets?: string
    /** The currency of the prices (ISO 4217). */
    currency?: string
    /** The position at which the list continues: `next_cursor` of the page before, with the same query. 1 to 1024 characters. */
    cursor?: string
    /** The maximum number of items in the response. From 1 to 100. */
    limit?: number
  }, options?: CallOptions): Pages<FiatPrice>
}

/** Every resource of the client. */
export type Resources = {
  system: SystemResource
  authorization: AuthorizationResource
  confirmations: ConfirmationsResource
  identity: IdentityResource
  operations: OperationsResource
  payments: PaymentsResource
  webhooks: WebhooksResource
  onboarding: OnboardingResource
  connection: ConnectionResource
  kyc: KycResource
  accounts: AccountsResource
  activity: ActivityResource
  beneficiaries: BeneficiariesResource
  payoutSchemas: PayoutSchemasResource
  mandates: MandatesResource
  cards: CardsResource
  spending: SpendingResource
  quotes: QuotesResource
  purchases: PurchasesResource
  services: ServicesResource
  referenceData: ReferenceDataResource
}
