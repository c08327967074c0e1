// Written by `pnpm gen` from libs/api/contract; change the table it comes from.

/** The types of the API's requests and responses. Members are named as on the wire. */

export type Account = {
  /** The identifier of the account in this API. */
  id: string
  /** The name of the account as the owner knows it. */
  name: string
  /** The type of the account. */
  type: AccountType
  /** ISO 4217. */
  currency: string
  /** The status of the account. */
  status: AccountStatus
  /** The balance of the account. */
  balance: AccountBalance
  /** The account number, with at most its last four characters legible. */
  masked_number: string | null
  /** The time at which the account was opened, if the provider states it. RFC 3339. */
  opened_at: string | null
}

export type AccountBalance = {
  /** The amount that can be spent now. */
  available: SignedMoney
  /** The booked amount. */
  current: SignedMoney
}

export type AccountList = {
  /** The items of this page. */
  items: Account[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type AccountStatus = "active" | "restricted" | "closed"

export type AccountType = "current" | "savings" | "virtual" | (string & {})

export type ActionRequired = GrantApprovalAction | CardRevealAction | ConnectAction | KycSessionAction

export type ActivityDirection = "in" | "out"

export type ActivityItem = {
  /** The identifier of the movement: the same for this client each time, and different for other clients. */
  id: string
  /** The source of the movement. */
  source: ActivitySource
  /** `in` to the owner, `out` from the owner. */
  direction: ActivityDirection
  /** The amount, never negative. */
  amount: Money
  /** The status of the movement; `pending` is not final. */
  status: ActivityStatus
  /** The purpose, sanitised. At most 140 characters. */
  description: string
  /** The other party, if the provider states it. */
  counterparty_name: string | null
  /** The time of the movement. RFC 3339. */
  occurred_at: string
}

export type ActivityItemList = {
  /** The items of this page. */
  items: ActivityItem[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type ActivitySource = "account" | "card" | "spending"

export type ActivityStatus = "pending" | "posted" | "reversed"

export type AddressCountries = {
  /** The countries that the provider accepts. */
  countries: AddressCountry[]
}

export type AddressCountry = {
  /** ISO 3166-1 alpha-2. */
  code: string
  /** ISO 3166-1 alpha-3. */
  alpha3: string
  /** The name of the country in English. */
  name: string
}

export type Asset = {
  /** The code of the asset. */
  code: string
  /** The display name. */
  name: string
  /** The kind of asset. */
  type: AssetType
  /** The number of digits after the point. From 0 to 36. */
  decimals: number
}

export type AssetList = {
  /** The items of this page. */
  items: Asset[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type AssetType = "fiat" | "crypto" | (string & {})

export type Authorization = {
  /** The grant of this token. */
  grant: Grant
  /** The client that acts. */
  client: RegisteredClient
  /** The authority that the owner delegated. */
  policy: GrantPolicy
  /** The capabilities of this environment, as in GET /v1/public-config. */
  capabilities: Capabilities
}

export type Availability = {
  /** True if the capability is available. */
  available: boolean
  /** The address of further documentation. A URL. */
  documentation_url: string
  /** The reason why the capability is not available; null if it is. */
  reason_code: string | null
}

export type Beneficiary = {
  /** The beneficiary. */
  id: string
  /** The name of the account holder. */
  name: string
  /** The owner's nickname for the beneficiary. */
  nickname: string | null
  /** The country of the account (ISO 3166-1 alpha-2). */
  country: string
  /** The currency of payments (ISO 4217). */
  currency: string
  /** The payout schema that its details follow. */
  payout_schema_id: string
  /** True if the account belongs to somebody other than the owner. */
  is_external: boolean
  /** The purpose of payments. */
  purpose_code: string | null
  /** The labels of the details, with their last four characters. */
  masked_details: Record<string, string>
  /** `pending` until its operation has succeeded. */
  state: BeneficiaryState
  /** The operation that creates the beneficiary. */
  operation_id: string
  /** The time of the request. RFC 3339. */
  created_at: string
  /** The time of the last change. RFC 3339. */
  updated_at: string
}

export type BeneficiaryList = {
  /** The items of this page. */
  items: Beneficiary[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type BeneficiaryState = "pending" | "active" | "failed"

export type Capabilities = {
  /** The capabilities of cards. */
  cards: CardCapabilities
  /** The capabilities of provider events. */
  provider_events: ProviderEventCapabilities
  /** The capabilities of purchases. */
  purchases: PurchaseCapabilities
  /** The capabilities of transfers. */
  transfers: TransferCapabilities
}

export type Card = {
  /** The card. */
  id: string
  /** The owner's label for the card. */
  label: string | null
  /** The kind of card. */
  type: CardType
  /** The currency of the card (ISO 4217). */
  currency: string
  /** The brand; null until the provider has made the card. */
  brand: string | null
  /** The last four digits; null until the provider has made the card. */
  last_four: string | null
  /** The state of the card. While operations are changing the card, it shows the effect of the newest one. The card is not `frozen` before all operations have settled. */
  state: CardState
  /** The operation that is changing the card; the newest one if several are not settled. */
  pending_operation_id: string | null
  /** The time of the request. RFC 3339. */
  created_at: string
  /** The time of the last change. RFC 3339. */
  updated_at: string
}

export type CardActivityItem = {
  /** The identifier of the movement: the same for this client each time, and different for other clients. */
  id: string
  /** The source of the movement. */
  source: ActivitySource
  /** `in` to the owner, `out` from the owner. */
  direction: ActivityDirection
  /** The amount, never negative. */
  amount: Money
  /** The status of the movement; `pending` is not final. */
  status: ActivityStatus
  /** The purpose, sanitised. At most 140 characters. */
  description: string
  /** The other party, if the provider states it. */
  counterparty_name: string | null
  /** The time of the movement. RFC 3339. */
  occurred_at: string
  /** The card. */
  card_id: string
  /** The merchant category: ISO 18245, four digits. */
  merchant_category: string | null
}

export type CardActivityItemList = {
  /** The items of this page. */
  items: CardActivityItem[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type CardCapabilities = {
  /** Show a card number on the page of the provider. */
  reveal: Availability
}

export type CardList = {
  /** The items of this page. */
  items: Card[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type CardReveal = {
  /** The visit. */
  id: string
  /** The card. */
  card_id: string
  /** The time at which the address stops working. RFC 3339. */
  expires_at: string
  /** The page that the owner must open. */
  action_required: CardRevealAction
}

export type CardRevealAction = {
  /** The page that the owner must open. A URL. */
  url: string
  /** The time until which the owner can open the page. RFC 3339. */
  expires_at: string
  /** The number of milliseconds to wait before polling; null if nothing is polled. */
  poll_after_ms: number | null
  /** The purpose of the visit. */
  kind: "card_reveal"
}

export type CardState = "pending" | "active" | "freezing" | "frozen" | "unfreezing" | "closing" | "closed" | "failed"

export type CardType = "virtual" | "physical"

export type ClientProfile = "web" | "spa" | "native" | "device" | "service"

export type ConfirmableAction = "mandate_create" | "mandate_revoke" | "service_disconnect" | "transfer"

export type ConfirmationFact = {
  /** The name of the fact, in words of this API. */
  label: string
  /** The value of the fact: one line without invisible characters. */
  value: string
  /** True if somebody else wrote the value. Show it apart, never as a part of a sentence. */
  foreign: boolean
}

export type ConfirmationIntent = {
  /** The intent. Send it as Confirmation-Intent-ID after it is confirmed. */
  id: string
  /** The action to be confirmed. */
  action: ConfirmedAction
  /** The status of the intent. A confirmed intent becomes `declined` if the owner takes it back before it is used. */
  status: ConfirmationStatus
  /** The action as plain text: its effect, then a line for each of `facts`. Other applications are only counted; the owner sees their names. */
  summary: string
  /** The same facts one by one: payee, amounts, limits, end. */
  facts: ConfirmationFact[]
  /** The page on which the owner confirms or declines. A URL. */
  confirmation_url: string
  /** The time at which the intent expires, confirmed or not. RFC 3339. */
  expires_at: string
  /** The number of milliseconds to wait before the next read; null if waiting will change nothing. */
  poll_after_ms: number | null
}

export type ConfirmationRule = {
  /** The action. */
  action: ConfirmedAction
  /** A confirmation is needed above this amount; null: always. */
  above: Money | null
}

export type ConfirmationStatus = "pending" | "confirmed" | "declined" | "consumed" | "expired"

export type ConfirmedAction = "mandate_create" | "mandate_revoke" | "service_disconnect" | "transfer" | (string & {})

export type ConnectAction = {
  /** The page that the owner must open. A URL. */
  url: string
  /** The time until which the owner can open the page. RFC 3339. */
  expires_at: string
  /** The number of milliseconds to wait before polling; null if nothing is polled. */
  poll_after_ms: number | null
  /** The purpose of the visit. */
  kind: "connect"
}

export type ConnectionState = "connected" | "disconnected" | "none"

export type CreateBeneficiaryRequest = {
  /** The country of the account (ISO 3166-1 alpha-2). */
  country: string
  /** The currency of payments (ISO 4217). */
  currency: string
  /** The fields that the payout schema requires. An IBAN may have spaces and small letters. Responses never contain them. */
  details: Record<string, string>
  /** The name of the account holder. 1 to 200 characters. */
  name: string
  /** The payout schema that `details` follow. 1 to 100 characters. */
  payout_schema_id: string
  /** True if the account belongs to somebody other than the owner. */
  is_external?: boolean
  /** The owner's nickname for the beneficiary. At most 80 characters. */
  nickname?: string
  /** The purpose of payments, if the payout schema has purpose codes. At most 80 characters. */
  purpose_code?: string
}

export type CreateCardRequest = {
  /** The owner's label for the card. At most 80 characters. */
  label?: string
  /** The kind of card. */
  type: CardType
  /** The currency of the card (ISO 4217). */
  currency: string
}

export type CreateConfirmationIntentRequest = {
  /** The action to be confirmed. */
  action: ConfirmableAction
  /** The request exactly as it will be sent. */
  request: RequestToConfirm
}

export type CreateMandateRequest = {
  /** The beneficiary of the payments. */
  beneficiary_id: string
  /** The maximum of one payment. At most 64 characters. */
  per_payment_max: string
  /** The maximum in a UTC day. At most 64 characters. */
  daily_max: string
  /** The maximum in an ISO week. At most 64 characters. */
  weekly_max: string
  /** The maximum in a month. At most 64 characters. */
  monthly_max: string
  /** The maximum in total. At most 64 characters. */
  total_cap: string
  /** The maximum number of payments. From 1 to 10000. */
  payment_count: number
  /** The end of the mandate: in the future, at most 365 days ahead. RFC 3339. */
  expires_at: string
  /** The clients that may pay under the mandate, each by the grant that it has when the owner confirms. By default the calling client. */
  authorized_clients?: string[]
  /** Rules of which each transfer must name one. Without rules, transfers name none. */
  authorized_rules?: string[]
}

export type CreateMandateTransferRequest = {
  /** The amount; no finer than the smallest unit of the currency. */
  amount: string
  /** The currency of the mandate. */
  currency: string
  /** The reference that the beneficiary sees. At most 140 characters. */
  reference?: string
  /** One of the `authorized_rules` of the mandate, if it has any. 1 to 80 characters. */
  rule?: string
}

export type CreatePurchaseQuoteRequest = {
  /** The service. */
  service_id: string
  /** The product of the service. 1 to 128 characters. */
  product_id: string
  /** The number of units. From 1 to 10000. */
  quantity: number
  /** The recipient, in the form that the service uses. 1 to 200 characters. */
  recipient?: string
}

export type CreateTransferQuoteRequest = {
  /** The currency that is sent (ISO 4217). */
  source_currency: string
  /** The currency that arrives (ISO 4217). */
  target_currency: string
  /** The amount on the fixed side; no finer than the smallest unit of its currency. */
  amount: string
  /** The side that `amount` fixes. */
  fixed_side: FixedSide
  /** The beneficiary, if it affects the price. */
  beneficiary_id?: string
}

export type CreateWebhookSubscriptionRequest = {
  /** The address of the receiver: https, port 443, on the public internet. 1 to 2048 characters. */
  url: string
  /** The purpose of the subscription, in your words. At most 200 characters. */
  description?: string
  /** The events to be notified; by default all events. */
  events?: WebhookEventFilter[]
}

export type CreateWithdrawalRequest = {
  /** The beneficiary of the withdrawal. */
  beneficiary_id: string
  /** The amount, within the limits of the provider; no finer than the smallest unit of the currency. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** One of the purposes that the limits list. 1 to 128 characters. */
  purpose_code?: string
  /** The memo of the withdrawal, if the limits allow one. At most 8192 characters. */
  memo?: string
}

export type CreatedWebhookSubscription = {
  /** The subscription. */
  id: string
  /** The address of the receiver. A URL. */
  url: string
  /** The purpose of the subscription. */
  description: string | null
  /** The events that are notified. */
  events: WebhookEventType[]
  /** `disabled` after the receiver answered 410, or failed for five days. */
  status: WebhookSubscriptionStatus
  /** The time of creation. RFC 3339. */
  created_at: string
  /** The time at which the subscription was disabled. RFC 3339. */
  disabled_at: string | null
  /** `endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days. */
  disabled_reason: WebhookDisabledReason | null
  /** Verifies the HMAC signatures. Only this response shows it. */
  secret: string
}

export type Environment = "local" | "test" | "production"

export type FailureCode = "operation_kind_unsupported" | "submission_invalid" | "submission_expired" | "provider_unreachable" | "provider_refused" | "provider_rejected_details" | "provider_authentication_failed" | "provider_identity_required" | "provider_settlement_failed" | "authority_withdrawn" | "approval_declined" | "approval_expired" | "provider_timeout" | "provider_connection_lost" | "provider_error" | "provider_response_invalid" | "attempt_interrupted" | "provider_evidence_ambiguous" | "provider_record_missing" | (string & {})

export type FiatPrice = {
  /** The asset. */
  asset: string
  /** The currency of the price (ISO 4217). */
  currency: string
  /** The price of one unit of the asset. */
  price: string
  /** The time of the price. RFC 3339. */
  as_of: string
}

export type FiatPriceList = {
  /** The items of this page. */
  items: FiatPrice[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type FixedSide = "source" | "target"

export type Grant = {
  /** The grant. */
  id: string
  /** The status of the grant. */
  status: GrantStatus
  /** The time at which the owner gave the grant. RFC 3339. */
  created_at: string
  /** The end of the grant. The grant of a service account has no end of its own. RFC 3339. */
  expires_at: string | null
  /** The scopes of the grant. */
  scopes: Scope[]
}

export type GrantApprovalAction = {
  /** The page that the owner must open. A URL. */
  url: string
  /** The time until which the owner can open the page. RFC 3339. */
  expires_at: string
  /** The number of milliseconds to wait before polling. */
  poll_after_ms: number
  /** The purpose of the visit. */
  kind: "grant_approval"
}

export type GrantCeilings = {
  /** The maximum of one payment. */
  per_payment: Money | null
  /** The maximum of all payments of this client in a UTC day, over all its grants. */
  per_day: Money | null
}

export type GrantPolicy = {
  /** The maximum that this client can pay, by withdrawal or under a mandate; null if there is no ceiling. If there is a ceiling, payments in other currencies are refused. */
  ceilings: GrantCeilings
  /** The actions that need a confirmation of the owner. */
  confirmation: ConfirmationRule[]
}

export type GrantStatus = "active" | "suspended" | "revoked" | "expired"

export type Health = {
  /** `ok` if protected requests can be served. */
  status: HealthStatus
  /** The current time of the server. RFC 3339. */
  time: string
  /** The checks on which the status depends. */
  checks: HealthCheck[]
}

export type HealthCheck = {
  /** The name of the check. */
  name: string
  /** The result of the check. */
  status: HealthStatus
}

export type HealthStatus = "ok" | "degraded"

export type Identity = {
  /** The subject of the owner for this client. Other clients see a different subject. */
  subject: string
  /** The name of the owner for display. */
  display_name: string | null
  /** The locale of the owner (BCP 47). */
  locale: string
  /** The time zone of the owner (IANA). */
  timezone: string
}

export type Kyc = {
  /** The status of the verification. */
  status: KycStatus
  /** The reason why the owner is not verified, if the provider states one. */
  reason_code: KycReasonCode | null
  /** The time of the last change. RFC 3339. */
  updated_at: string
}

export type KycReasonCode = "details_mismatch" | "document_expired" | "document_not_accepted" | "document_unreadable" | "information_missing" | "not_eligible" | "verification_lapsed" | "other" | (string & {})

export type KycSession = {
  /** The visit. */
  id: string
  /** The page that the owner must open. */
  action_required: KycSessionAction
}

export type KycSessionAction = {
  /** The page that the owner must open. A URL. */
  url: string
  /** The time until which the owner can open the page; null if it is not known. RFC 3339. */
  expires_at: string | null
  /** The number of milliseconds to wait before polling; null if nothing is polled. */
  poll_after_ms: number | null
  /** The purpose of the visit. */
  kind: "kyc_session"
}

export type KycStatus = "not_started" | "pending" | "in_review" | "verified" | "rejected" | "expired"

export type Mandate = {
  /** The mandate. */
  id: string
  /** The beneficiary of the payments. */
  beneficiary_id: string
  /** The state of the mandate. */
  state: MandateState
  /** The currency of the caps, which is that of the beneficiary. */
  currency: string
  /** The clients that the mandate names. Each pays under it by a grant with authority under the mandate. */
  authorized_clients: string[]
  /** Rules of which each transfer must name one. */
  authorized_rules: string[]
  /** The maximum of one payment. */
  per_payment_max: string
  /** The maximum in a UTC day. */
  daily_max: string
  /** The maximum in an ISO week. */
  weekly_max: string
  /** The maximum in a month. */
  monthly_max: string
  /** The maximum in total. */
  total_cap: string
  /** The maximum number of payments. From 1 to 10000. */
  payment_count: number
  /** The remaining caps of the current UTC day, ISO week and month. Amounts with an unknown outcome count as spent. */
  remaining: MandateRemaining
  /** The end of the mandate. RFC 3339. */
  expires_at: string
  /** The operation that creates the mandate. */
  operation_id: string
  /** The time of the request. RFC 3339. */
  created_at: string
  /** The time of the last change. RFC 3339. */
  updated_at: string
}

export type MandateList = {
  /** The items of this page. */
  items: Mandate[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type MandateRemaining = {
  /** The remaining daily cap. */
  daily: string
  /** The remaining weekly cap. */
  weekly: string
  /** The remaining monthly cap. */
  monthly: string
  /** The remaining total cap. */
  total: string
  /** The remaining number of payments. From 0 to 10000. */
  payments: number
}

export type MandateState = "pending" | "active" | "suspending" | "suspended" | "revoking" | "revoked" | "revocation_failed" | "expired" | "exhausted" | "failed"

export type MemoLimits = {
  /** True if a memo is allowed. */
  supported: boolean
  /** The minimum number of characters. From 0 to 8192. */
  minimum_characters: number
  /** The maximum number of characters. From 0 to 8192. */
  maximum_characters: number
}

export type Metadata = {
  /** The name of this API. */
  name: string
  /** The version of this API; all routes are under /v1. */
  version: string
  /** The environment. Tokens, keys and clients of one environment are not valid in another. */
  environment: Environment
  /** The issuer: the authorization server. A URL. */
  issuer: string
  /** The resource for which tokens are issued. A URL. */
  resource: string
  /** The address of the documentation. A URL. */
  documentation_url: string
  /** The address of this document. A URL. */
  openapi_url: string
}

export type Money = {
  /** A decimal string, with the digits of the currency. */
  amount: string
  /** ISO 4217. */
  currency: string
}

export type Onboarding = {
  /** The identity of the owner towards this client. */
  customer: Identity
  /** The state of the connection to a provider. */
  connection: ConnectionState
  /** The status of the verification. */
  kyc_status: KycStatus
  /** True if POST /v1/kyc/sessions would open a visit now. */
  kyc_session_available: boolean
  /** True if nothing is missing. */
  ready: boolean
  /** The requirements that the owner does not meet yet. */
  missing: OnboardingRequirement[]
}

export type OnboardingRequirement = "provider_connection" | "identity_verification" | (string & {})

export type OpenapiDocument = {
  /** The version of OpenAPI. */
  openapi: string
}

export type Operation = {
  /** The operation. */
  id: string
  /** The kind of write. */
  kind: OperationKind
  /** The state of the operation. `succeeded`, `failed` and `cancelled` are final. */
  state: OperationState
  /** True only if the state is `indeterminate`: the provider may have accepted the write. Do not send it again. */
  submission_uncertain: boolean
  /** The reason why the operation failed, or why its outcome is unknown. Each code has a page at /failure-codes/{code}. */
  failure_code: FailureCode | null
  /** The reason in words for people. */
  failure_detail: string | null
  /** The time of acceptance. RFC 3339. */
  created_at: string
  /** The time of the last change of the state. RFC 3339. */
  updated_at: string
  /** The resource that the operation concerns. */
  resource_id: string
  /** The type of the resource. */
  resource_type: ResourceType
  /** The time at which the provider is asked for the outcome again. An indeterminate operation is asked about without end, until an answer proves what became of it. RFC 3339. */
  next_reconcile_at: string | null
  /** The provider's reference for the operation. */
  upstream_reference: string | null
  /** Present only while the owner has to act. */
  action_required?: ActionRequired
}

export type OperationAvailability = {
  /** The kind of operation. */
  kind: OperationKind
  /** True if a request that starts such an operation can be accepted. */
  available: boolean
  /** The reason why it is not available: `not_enabled` (this environment has not enabled its capability), `not_offered_by_provider`, or `not_known` (the kinds that are offered are not known at present). Null if it is available. */
  reason_code: string | null
}

export type OperationKind = "beneficiary_create" | "card_close" | "card_create" | "card_freeze" | "card_unfreeze" | "mandate_create" | "mandate_revoke" | "mandate_suspend" | "mandate_transfer" | "transfer" | "transfer_grant_revoke"

export type OperationList = {
  /** The operations, newest first. */
  items: Operation[]
}

export type OperationState = "requires_action" | "accepted" | "submitting" | "submitted" | "succeeded" | "failed" | "indeterminate" | "cancelled"

export type PaymentCheck = {
  /** The problem with which the payment would be refused; null if it would be accepted. */
  refusal: PaymentRefusal | null
  /** True if the policy of the grant asks the owner to confirm this payment: create a confirmation intent. */
  confirmation_required: boolean
  /** Every limit of the grant and of the mandate that the payment is within or above. */
  limits: PaymentLimit[]
}

export type PaymentLimit = {
  /** The limit, and what it belongs to. `mandate_payments` counts payments, all others amounts. */
  limit: "grant_per_payment" | "grant_per_day" | "mandate_per_payment" | "mandate_per_day" | "mandate_per_week" | "mandate_per_month" | "mandate_total" | "mandate_payments" | (string & {})
  /** The currency of the amounts; null for a count. */
  currency: string | null
  /** The limit itself. */
  maximum: string
  /** The part of it that is left. Payments with an unknown outcome count as made. */
  remaining: string
  /** The part that this payment would leave; null if it does not fit, or is in another currency. */
  remaining_after: string | null
}

export type PaymentRefusal = {
  code: ProblemCode
  /** The class of problem in a few words; the same for every occurrence. */
  title: string
  /** The error of this request, in words for people. */
  detail: string
  /** The refused members, with the reasons; null if the problem does not concern members. */
  fields: ProblemField[] | null
  /** True if repeating the identical request can safely succeed. */
  retryable: boolean
}

export type PayoutFieldType = "string" | "enum" | (string & {})

export type PayoutSchema = {
  /** The payout schema, as the provider names it. */
  id: string
  /** The display name. */
  name: string
  /** The country of the account (ISO 3166-1 alpha-2). */
  country: string
  /** The currency of payments (ISO 4217). */
  currency: string
  /** The payout method. 1 to 128 characters. */
  rail: string
  /** The fields of `details` of a beneficiary. */
  fields: PayoutSchemaField[]
  /** Example details that are valid for this schema. */
  example_details: Record<string, string>
}

export type PayoutSchemaField = {
  /** The member of `details`. */
  key: string
  /** The display label. */
  label: string
  /** Any string, or one of `options`. */
  type: PayoutFieldType
  /** A pattern for the value (ECMA-262). */
  pattern: string | null
  /** The minimum number of characters. */
  min_length: number | null
  /** The maximum number of characters. */
  max_length: number | null
  /** The permitted values; null if the type is not `enum`. */
  options: string[] | null
  /** True if the field is required. */
  required: boolean
}

export type PayoutSchemaList = {
  /** The items of this page. */
  items: PayoutSchema[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type Problem = {
  /** The page of the code: a stable address for the class of problem. A URL. */
  type: string
  /** The class of problem in a few words; the same for every occurrence. */
  title: string
  /** The HTTP status. From 400 to 599. */
  status: number
  /** The error of this request, in words for people. */
  detail: string
  /** The path of the request. */
  instance: string
  code: ProblemCode
  /** The refused members, with the reasons; null if the problem does not concern members. */
  fields: ProblemField[] | null
  /** The value of X-Request-Id. Give it to support to identify this request. */
  request_id: string
  /** True if repeating the identical request can safely succeed. */
  retryable: boolean
  /** True if a write may have reached the provider. Read its operation, and never submit the write again. */
  submission_uncertain: boolean
}

/** Stable and machine-readable. Each has a page at /problems/{code}. */
export type ProblemCode = "malformed_json" | "malformed_request" | "invalid_token" | "invalid_dpop_proof" | "use_dpop_nonce" | "insufficient_scope" | "capability_unavailable" | "confirmation_required" | "confirmation_pending" | "confirmation_declined" | "confirmation_mismatch" | "webhooks_unavailable" | "mandate_client_not_authorized" | "mandate_rule_not_authorized" | "route_not_found" | "operation_not_found" | "transfer_not_found" | "beneficiary_not_found" | "payout_schema_not_found" | "confirmation_intent_not_found" | "mandate_not_found" | "card_not_found" | "service_connection_not_found" | "account_not_found" | "purchase_quote_not_found" | "purchase_not_found" | "service_not_found" | "webhook_subscription_not_found" | "webhook_delivery_not_found" | "grant_not_found" | "method_not_allowed" | "method_not_implemented" | "request_timeout" | "provider_connection_unavailable" | "idempotency_key_conflict" | "idempotency_key_expired" | "confirmation_already_used" | "confirmation_expired" | "resource_busy" | "mandate_not_active" | "mandate_revocation_in_progress" | "mandate_already_revoked" | "mandate_cap_exceeded" | "grant_ceiling_exceeded" | "card_not_active" | "card_not_frozen" | "card_already_closed" | "card_reveal_refused" | "grant_not_active" | "kyc_session_unavailable" | "webhook_subscription_limit_reached" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "rate_limited" | "request_header_too_large" | "internal_error" | "response_contract_failed" | "authorization_unavailable" | "provider_unavailable" | "service_unavailable" | "acceptance_unknown" | (string & {})

export type ProblemField = {
  /** A sentence that says what to send instead. */
  message: string
  /** A dot-delimited path in the body, or the name of a header, query parameter or path parameter. */
  path: string
}

export type ProviderEventCapabilities = {
  /** Receive events from the provider. */
  inbound: Availability
}

export type PublicConfig = {
  /** The capabilities of this environment. */
  capabilities: Capabilities
}

export type Purchase = {
  /** The purchase. */
  id: string
  /** The quote of the purchase. */
  quote_id: string
  /** The service. */
  service_id: string
  /** The state of the purchase. */
  state: PurchaseState
  /** The price. */
  total: Money
  /** The time at which the provider released the purchase. RFC 3339. */
  released_at: string
  /** The time of the last change. RFC 3339. */
  updated_at: string
}

export type PurchaseCapabilities = {
  /** Execute an exact quote. */
  exact_execute: Availability
  /** Execute a purchase that a query finds. */
  query_execute: Availability
}

export type PurchaseList = {
  /** The items of this page. */
  items: Purchase[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type PurchaseQuote = {
  /** The quote. */
  id: string
  /** Always true: prices may change. */
  indicative: true
  /** Always false: a quote cannot be executed. */
  executable: false
  /** The service. */
  service_id: string
  /** The product of the service. */
  product_id: string
  /** The number of units. */
  quantity: number
  /** The total price. */
  total: Money
  /** The time at which the quote expires. RFC 3339. */
  expires_at: string
}

export type PurchaseState = "released" | "fulfilled" | "refunded"

export type RegisteredClient = {
  /** The registered client id. */
  id: string
  /** The name of the client as owners know it. */
  name: string
  /** The kind of application. */
  profile: ClientProfile
}

export type RequestToConfirm = {
  /** The concrete path of the request. 1 to 512 characters. */
  path: string
  /** The body of the request; absent if the request has none. */
  body?: Record<string, unknown>
}

export type ResourceType = "beneficiary" | "mandate" | "card" | "withdrawal" | "mandate_transfer" | "service_connection" | (string & {})

export type RotatedWebhookSubscription = {
  /** The subscription. */
  id: string
  /** The address of the receiver. A URL. */
  url: string
  /** The purpose of the subscription. */
  description: string | null
  /** The events that are notified. */
  events: WebhookEventType[]
  /** `disabled` after the receiver answered 410, or failed for five days. */
  status: WebhookSubscriptionStatus
  /** The time of creation. RFC 3339. */
  created_at: string
  /** The time at which the subscription was disabled. RFC 3339. */
  disabled_at: string | null
  /** `endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days. */
  disabled_reason: WebhookDisabledReason | null
  /** Verifies the HMAC signatures. Only this response shows it. */
  secret: string
  /** The time until which the previous secret also signs, one day from now. RFC 3339. */
  previous_secret_until: string
}

export type Scope = "accounts:read" | "activity:read" | "authorization:read" | "beneficiaries:read" | "beneficiaries:write" | "cards:manage" | "cards:read" | "identity:read" | "kyc:read" | "operations:read" | "purchases:read" | "services:read" | "spending:read" | "spending:withdraw" | "transfers:quote" | (string & {})

export type Service = {
  /** The service. */
  id: string
  /** The display name. */
  name: string
  /** The kind of service. */
  category: string
  /** The capabilities of the service. */
  capabilities: ServiceCapability[]
  /** The address of further documentation. A URL. */
  documentation_url: string | null
}

export type ServiceCapability = {
  /** The capability. */
  name: string
  /** True if the capability is available in this environment, and the owner's provider offers at least one of its operations. */
  available: boolean
  /** The reason why it is not available; null if it is. */
  reason_code: string | null
  /** The scopes that a grant needs for it. */
  required_scopes: string[]
  /** True if it is available and the grant has every required scope. */
  granted: boolean
  /** The kinds of operations that requests of this capability start, with their availability at the owner's provider. Empty for reads. */
  operations: OperationAvailability[]
}

export type ServiceConnection = {
  /** The connection. */
  id: string
  /** `disconnecting` while the connection is being ended. */
  status: ServiceConnectionStatus
  /** The provider. */
  provider_name: string
  /** The time at which the provider was connected. RFC 3339. */
  connected_at: string
}

export type ServiceConnectionStatus = "connected" | "disconnecting"

export type ServiceList = {
  /** The items of this page. */
  items: Service[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type SignedMoney = {
  /** A decimal string, with the digits of the currency; negative if more is owed than held. */
  amount: string
  /** ISO 4217. */
  currency: string
}

export type SpendingAccount = {
  /** The amount that can be spent. */
  held: Money
  /** The promotional credit. */
  promotional_credit: Money
  /** The amount that is owed. */
  owed: Money
}

export type Transfer = {
  /** The transfer: `resource_id` of its operation. */
  id: string
  /** The operation that carries it out. */
  operation_id: string
  /** `transfer` is a withdrawal; `mandate_transfer` was made under a mandate. */
  kind: TransferKind
  /** The state of the operation. `succeeded`, `failed` and `cancelled` are final. */
  state: OperationState
  /** The mandate of the transfer; null for a withdrawal. */
  mandate_id: string | null
  /** The beneficiary of the payment. */
  beneficiary_id: string
  /** The amount. */
  amount: Money
  /** The reference that the beneficiary sees: `reference`, or `memo` of a withdrawal. */
  reference: string | null
  /** The rule of the mandate that the transfer names; null if it names none. */
  rule: string | null
  /** The provider's reference for the transfer. */
  upstream_reference: string | null
  /** The time of acceptance. RFC 3339. */
  created_at: string
  /** The time of the last change of the state. RFC 3339. */
  updated_at: string
}

export type TransferCapabilities = {
  /** Execute transfers and withdrawals. */
  execute: Availability
}

export type TransferKind = "mandate_transfer" | "transfer" | (string & {})

export type TransferList = {
  /** The items of this page. */
  items: Transfer[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type TransferQuote = {
  /** The quote. */
  id: string
  /** Always true: prices may change. */
  indicative: true
  /** Always false: a quote cannot be executed. */
  executable: false
  /** The amount that would be sent. */
  source: Money
  /** The amount that would arrive. */
  target: Money
  /** The amount of the target currency for one unit of the source currency. */
  rate: string
  /** The fee. */
  fee: Money
  /** The payout method. 1 to 128 characters. */
  rail: string
  /** The expected time of arrival. RFC 3339. */
  estimated_arrival: string | null
  /** The time at which the quote expires. RFC 3339. */
  expires_at: string
}

export type VirtualAccountEconomics = {
  /** One entry for each currency. */
  items: VirtualAccountFees[]
}

export type VirtualAccountFees = {
  /** The currency of the account (ISO 4217). */
  currency: string
  /** The fee per month. */
  monthly_fee: Money
  /** The fixed part of the fee for each payment. */
  inbound_fee_fixed: string
  /** The variable part of the fee, in hundredths of a percent of the amount. */
  inbound_fee_basis_points: string
  /** The number of days until a payment can be spent. */
  settlement_days: number
}

export type WebhookDelivery = {
  /** The `webhook-id` of every attempt. */
  id: string
  /** The notified event. */
  event_type: WebhookEventType
  /** The operation that moved. */
  operation_id: string
  /** The state of the delivery. */
  status: WebhookDeliveryStatus
  /** The number of attempts so far. */
  attempts: number
  /** The HTTP status of the last attempt. From 100 to 999. */
  last_status_code: number | null
  /** The time of the next attempt. RFC 3339. */
  next_attempt_at: string | null
  /** The time at which the event was received for delivery. RFC 3339. */
  created_at: string
}

export type WebhookDeliveryList = {
  /** The items of this page. */
  items: WebhookDelivery[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type WebhookDeliveryStatus = "pending" | "delivered" | "failed"

export type WebhookDisabledReason = "endpoint_gone" | "endpoint_failing" | (string & {})

export type WebhookEventFilter = "operation.requires_action" | "operation.accepted" | "operation.submitting" | "operation.submitted" | "operation.succeeded" | "operation.failed" | "operation.indeterminate" | "operation.cancelled"

export type WebhookEventType = "operation.requires_action" | "operation.accepted" | "operation.submitting" | "operation.submitted" | "operation.succeeded" | "operation.failed" | "operation.indeterminate" | "operation.cancelled" | (string & {})

export type WebhookPayload = {
  /** The event. */
  type: WebhookEventType
  /** The time at which the operation moved to the state, even if the notification is late. RFC 3339. */
  timestamp: string
  /** The operation that moved. */
  data: WebhookPayloadData
}

export type WebhookPayloadData = {
  /** The operation, which the receiver must read. */
  operation_id: string
  /** The kind of the operation. */
  kind: OperationKind
  /** The state after the move. */
  state: OperationState
  /** True if the provider may have accepted the write and we do not know it. */
  submission_uncertain: boolean
}

export type WebhookSubscription = {
  /** The subscription. */
  id: string
  /** The address of the receiver. A URL. */
  url: string
  /** The purpose of the subscription. */
  description: string | null
  /** The events that are notified. */
  events: WebhookEventType[]
  /** `disabled` after the receiver answered 410, or failed for five days. */
  status: WebhookSubscriptionStatus
  /** The time of creation. RFC 3339. */
  created_at: string
  /** The time at which the subscription was disabled. RFC 3339. */
  disabled_at: string | null
  /** `endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days. */
  disabled_reason: WebhookDisabledReason | null
}

export type WebhookSubscriptionList = {
  /** The items of this page. */
  items: WebhookSubscription[]
  /** The `cursor` of the next page; null at the end of the list. */
  next_cursor: string | null
}

export type WebhookSubscriptionStatus = "active" | "disabled"

export type WithdrawalLimits = {
  /** The currency of the amounts here. */
  currency: string
  /** The minimum amount of a withdrawal. */
  minimum_amount: string
  /** The maximum amount of a withdrawal. */
  maximum_amount: string
  /** The fixed part of the fee. */
  fee_fixed: string
  /** The variable part of the fee, in hundredths of a percent of the amount. */
  fee_basis_points: string
  /** The payout method. 1 to 128 characters. */
  rail: string
  /** The memo of a withdrawal. */
  memo: MemoLimits
  /** The purposes of which a withdrawal may name one. */
  purpose_codes: string[]
}

/** A scope that a client can ask for. */
export type KnownScope =
  | 'accounts:read'
  | 'activity:read'
  | 'authorization:read'
  | 'beneficiaries:read'
  | 'beneficiaries:write'
  | 'cards:manage'
  | 'cards:read'
  | 'identity:read'
  | 'kyc:read'
  | 'operations:read'
  | 'purchases:read'
  | 'services:read'
  | 'spending:read'
  | 'spending:withdraw'
  | 'transfers:quote'
