# Written by `pnpm gen` from libs/api/contract; change the table it comes from.
"""The types of the API's requests and responses. Members are named as on the wire."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

__all__ = [
    "Account",
    "AccountBalance",
    "AccountStatus",
    "AccountType",
    "ActionRequired",
    "ActivityDirection",
    "ActivityItem",
    "ActivitySource",
    "ActivityStatus",
    "AddressCountries",
    "AddressCountry",
    "Asset",
    "AssetType",
    "Authorization",
    "Availability",
    "Beneficiary",
    "BeneficiaryState",
    "Capabilities",
    "Card",
    "CardActivityItem",
    "CardCapabilities",
    "CardReveal",
    "CardRevealAction",
    "CardState",
    "CardType",
    "ClientProfile",
    "ConfirmableAction",
    "ConfirmationFact",
    "ConfirmationIntent",
    "ConfirmationRule",
    "ConfirmationStatus",
    "ConfirmedAction",
    "ConnectAction",
    "ConnectionState",
    "CreateBeneficiaryRequest",
    "CreateCardRequest",
    "CreateConfirmationIntentRequest",
    "CreateMandateRequest",
    "CreateMandateTransferRequest",
    "CreatePurchaseQuoteRequest",
    "CreateTransferQuoteRequest",
    "CreateWebhookSubscriptionRequest",
    "CreateWithdrawalRequest",
    "CreatedWebhookSubscription",
    "Environment",
    "FailureCode",
    "FiatPrice",
    "FixedSide",
    "Grant",
    "GrantApprovalAction",
    "GrantCeilings",
    "GrantPolicy",
    "GrantStatus",
    "Health",
    "HealthCheck",
    "HealthStatus",
    "Identity",
    "KnownScope",
    "Kyc",
    "KycReasonCode",
    "KycSession",
    "KycSessionAction",
    "KycStatus",
    "Mandate",
    "MandateRemaining",
    "MandateState",
    "MemoLimits",
    "Metadata",
    "Money",
    "Onboarding",
    "OnboardingRequirement",
    "OpenapiDocument",
    "Operation",
    "OperationAvailability",
    "OperationKind",
    "OperationState",
    "PaymentCheck",
    "PaymentLimit",
    "PaymentRefusal",
    "PayoutFieldType",
    "PayoutSchema",
    "PayoutSchemaField",
    "Problem",
    "ProblemCode",
    "ProblemField",
    "ProviderEventCapabilities",
    "PublicConfig",
    "Purchase",
    "PurchaseCapabilities",
    "PurchaseQuote",
    "PurchaseState",
    "RegisteredClient",
    "RequestToConfirm",
    "ResourceType",
    "RotatedWebhookSubscription",
    "Scope",
    "Service",
    "ServiceCapability",
    "ServiceConnection",
    "ServiceConnectionStatus",
    "SignedMoney",
    "SpendingAccount",
    "Transfer",
    "TransferCapabilities",
    "TransferKind",
    "TransferQuote",
    "VirtualAccountEconomics",
    "VirtualAccountFees",
    "WebhookDelivery",
    "WebhookDeliveryStatus",
    "WebhookDisabledReason",
    "WebhookEventFilter",
    "WebhookEventType",
    "WebhookPayload",
    "WebhookPayloadData",
    "WebhookSubscription",
    "WebhookSubscriptionStatus",
    "WithdrawalLimits",
]


class Account(TypedDict):
    id: str
    """The identifier of the account in this API."""
    name: str
    """The name of the account as the owner knows it."""
    type: AccountType
    """The type of the account."""
    currency: str
    """ISO 4217."""
    status: AccountStatus
    """The status of the account."""
    balance: AccountBalance
    """The balance of the account."""
    masked_number: str | None
    """The account number, with at most its last four characters legible."""
    opened_at: str | None
    """The time at which the account was opened, if the provider states it. RFC 3339."""


class AccountBalance(TypedDict):
    available: SignedMoney
    """The amount that can be spent now."""
    current: SignedMoney
    """The booked amount."""


class ActivityItem(TypedDict):
    id: str
    """The identifier of the movement: the same for this client each time, and different for other clients."""
    source: ActivitySource
    """The source of the movement."""
    direction: ActivityDirection
    """`in` to the owner, `out` from the owner."""
    amount: Money
    """The amount, never negative."""
    status: ActivityStatus
    """The status of the movement; `pending` is not final."""
    description: str
    """The purpose, sanitised. At most 140 characters."""
    counterparty_name: str | None
    """The other party, if the provider states it."""
    occurred_at: str
    """The time of the movement. RFC 3339."""


class AddressCountries(TypedDict):
    countries: list[AddressCountry]
    """The countries that the provider accepts."""


class AddressCountry(TypedDict):
    code: str
    """ISO 3166-1 alpha-2."""
    alpha3: str
    """ISO 3166-1 alpha-3."""
    name: str
    """The name of the country in English."""


class Asset(TypedDict):
    code: str
    """The code of the asset."""
    name: str
    """The display name."""
    type: AssetType
    """The kind of asset."""
    decimals: int
    """The number of digits after the point. From 0 to 36."""


class Authorization(TypedDict):
    grant: Grant
    """The grant of this token."""
    client: RegisteredClient
    """The client that acts."""
    policy: GrantPolicy
    """The authority that the owner delegated."""
    capabilities: Capabilities
    """The capabilities of this environment, as in GET /v1/public-config."""


class Availability(TypedDict):
    available: bool
    """True if the capability is available."""
    documentation_url: str
    """The address of further documentation. A URL."""
    reason_code: str | None
    """The reason why the capability is not available; null if it is."""


class Beneficiary(TypedDict):
    id: str
    """The beneficiary."""
    name: str
    """The name of the account holder."""
    nickname: str | None
    """The owner's nickname for the beneficiary."""
    country: str
    """The country of the account (ISO 3166-1 alpha-2)."""
    currency: str
    """The currency of payments (ISO 4217)."""
    payout_schema_id: str
    """The payout schema that its details follow."""
    is_external: bool
    """True if the account belongs to somebody other than the owner."""
    purpose_code: str | None
    """The purpose of payments."""
    masked_details: dict[str, str]
    """The labels of the details, with their last four characters."""
    state: BeneficiaryState
    """`pending` until its operation has succeeded."""
    operation_id: str
    """The operation that creates the beneficiary."""
    created_at: str
    """The time of the request. RFC 3339."""
    updated_at: str
    """The time of the last change. RFC 3339."""


class Capabilities(TypedDict):
    cards: CardCapabilities
    """The capabilities of cards."""
    provider_events: ProviderEventCapabilities
    """The capabilities of provider events."""
    purchases: PurchaseCapabilities
    """The capabilities of purchases."""
    transfers: TransferCapabilities
    """The capabilities of transfers."""


class Card(TypedDict):
    id: str
    """The card."""
    label: str | None
    """The owner's label for the card."""
    type: CardType
    """The kind of card."""
    currency: str
    """The currency of the card (ISO 4217)."""
    brand: str | None
    """The brand; null until the provider has made the card."""
    last_four: str | None
    """The last four digits; null until the provider has made the card."""
    state: CardState
    """The state of the card. While operations are changing the card, it shows the effect of the newest one. The card is not `frozen` before all operations have settled."""
    pending_operation_id: str | None
    """The operation that is changing the card; the newest one if several are not settled."""
    created_at: str
    """The time of the request. RFC 3339."""
    updated_at: str
    """The time of the last change. RFC 3339."""


class CardActivityItem(TypedDict):
    id: str
    """The identifier of the movement: the same for this client each time, and different for other clients."""
    source: ActivitySource
    """The source of the movement."""
    direction: ActivityDirection
    """`in` to the owner, `out` from the owner."""
    amount: Money
    """The amount, never negative."""
    status: ActivityStatus
    """The status of the movement; `pending` is not final."""
    description: str
    """The purpose, sanitised. At most 140 characters."""
    counterparty_name: str | None
    """The other party, if the provider states it."""
    occurred_at: str
    """The time of the movement. RFC 3339."""
    card_id: str
    """The card."""
    merchant_category: str | None
    """The merchant category: ISO 18245, four digits."""


class CardCapabilities(TypedDict):
    reveal: Availability
    """Show a card number on the page of the provider."""


class CardReveal(TypedDict):
    id: str
    """The visit."""
    card_id: str
    """The card."""
    expires_at: str
    """The time at which the address stops working. RFC 3339."""
    action_required: CardRevealAction
    """The page that the owner must open."""


class CardRevealAction(TypedDict):
    url: str
    """The page that the owner must open. A URL."""
    expires_at: str
    """The time until which the owner can open the page. RFC 3339."""
    poll_after_ms: int | None
    """The number of milliseconds to wait before polling; null if nothing is polled."""
    kind: Literal["card_reveal"]
    """The purpose of the visit."""


class ConfirmationFact(TypedDict):
    label: str
    """The name of the fact, in words of this API."""
    value: str
    """The value of the fact: one line without invisible characters."""
    foreign: bool
    """True if somebody else wrote the value. Show it apart, never as a part of a sentence."""


class ConfirmationIntent(TypedDict):
    id: str
    """The intent. Send it as Confirmation-Intent-ID after it is confirmed."""
    action: ConfirmedAction
    """The action to be confirmed."""
    status: ConfirmationStatus
    """The status of the intent. A confirmed intent becomes `declined` if the owner takes it back before it is used."""
    summary: str
    """The action as plain text: its effect, then a line for each of `facts`. Other applications are only counted; the owner sees their names."""
    facts: list[ConfirmationFact]
    """The same facts one by one: payee, amounts, limits, end."""
    confirmation_url: str
    """The page on which the owner confirms or declines. A URL."""
    expires_at: str
    """The time at which the intent expires, confirmed or not. RFC 3339."""
    poll_after_ms: int | None
    """The number of milliseconds to wait before the next read; null if waiting will change nothing."""


class ConfirmationRule(TypedDict):
    action: ConfirmedAction
    """The action."""
    above: Money | None
    """A confirmation is needed above this amount; null: always."""


class ConnectAction(TypedDict):
    url: str
    """The page that the owner must open. A URL."""
    expires_at: str
    """The time until which the owner can open the page. RFC 3339."""
    poll_after_ms: int | None
    """The number of milliseconds to wait before polling; null if nothing is polled."""
    kind: Literal["connect"]
    """The purpose of the visit."""


class CreateBeneficiaryRequest(TypedDict):
    country: str
    """The country of the account (ISO 3166-1 alpha-2)."""
    currency: str
    """The currency of payments (ISO 4217)."""
    details: dict[str, str]
    """The fields that the payout schema requires. An IBAN may have spaces and small letters. Responses never contain them."""
    name: str
    """The name of the account holder. 1 to 200 characters."""
    payout_schema_id: str
    """The payout schema that `details` follow. 1 to 100 characters."""
    is_external: NotRequired[bool]
    """True if the account belongs to somebody other than the owner."""
    nickname: NotRequired[str]
    """The owner's nickname for the beneficiary. At most 80 characters."""
    purpose_code: NotRequired[str]
    """The purpose of payments, if the payout schema has purpose codes. At most 80 characters."""


class CreateCardRequest(TypedDict):
    label: NotRequired[str]
    """The owner's label for the card. At most 80 characters."""
    type: CardType
    """The kind of card."""
    currency: str
    """The currency of the card (ISO 4217)."""


class CreateConfirmationIntentRequest(TypedDict):
    action: ConfirmableAction
    """The action to be confirmed."""
    request: RequestToConfirm
    """The request exactly as it will be sent."""


class CreateMandateRequest(TypedDict):
    beneficiary_id: str
    """The beneficiary of the payments."""
    per_payment_max: str
    """The maximum of one payment. At most 64 characters."""
    daily_max: str
    """The maximum in a UTC day. At most 64 characters."""
    weekly_max: str
    """The maximum in an ISO week. At most 64 characters."""
    monthly_max: str
    """The maximum in a month. At most 64 characters."""
    total_cap: str
    """The maximum in total. At most 64 characters."""
    payment_count: int
    """The maximum number of payments. From 1 to 10000."""
    expires_at: str
    """The end of the mandate: in the future, at most 365 days ahead. RFC 3339."""
    authorized_clients: NotRequired[list[str]]
    """The clients that may pay under the mandate, each by the grant that it has when the owner confirms. By default the calling client."""
    authorized_rules: NotRequired[list[str]]
    """Rules of which each transfer must name one. Without rules, transfers name none."""


class CreateMandateTransferRequest(TypedDict):
    amount: str
    """The amount; no finer than the smallest unit of the currency."""
    currency: str
    """The currency of the mandate."""
    reference: NotRequired[str]
    """The reference that the beneficiary sees. At most 140 characters."""
    rule: NotRequired[str]
    """One of the `authorized_rules` of the mandate, if it has any. 1 to 80 characters."""


class CreatePurchaseQuoteRequest(TypedDict):
    service_id: str
    """The service."""
    product_id: str
    """The product of the service. 1 to 128 characters."""
    quantity: int
    """The number of units. From 1 to 10000."""
    recipient: NotRequired[str]
    """The recipient, in the form that the service uses. 1 to 200 characters."""


class CreateTransferQuoteRequest(TypedDict):
    source_currency: str
    """The currency that is sent (ISO 4217)."""
    target_currency: str
    """The currency that arrives (ISO 4217)."""
    amount: str
    """The amount on the fixed side; no finer than the smallest unit of its currency."""
    fixed_side: FixedSide
    """The side that `amount` fixes."""
    beneficiary_id: NotRequired[str]
    """The beneficiary, if it affects the price."""


class CreateWebhookSubscriptionRequest(TypedDict):
    url: str
    """The address of the receiver: https, port 443, on the public internet. 1 to 2048 characters."""
    description: NotRequired[str]
    """The purpose of the subscription, in your words. At most 200 characters."""
    events: NotRequired[list[WebhookEventFilter]]
    """The events to be notified; by default all events."""


class CreateWithdrawalRequest(TypedDict):
    beneficiary_id: str
    """The beneficiary of the withdrawal."""
    amount: str
    """The amount, within the limits of the provider; no finer than the smallest unit of the currency."""
    currency: str
    """ISO 4217."""
    purpose_code: NotRequired[str]
    """One of the purposes that the limits list. 1 to 128 characters."""
    memo: NotRequired[str]
    """The memo of the withdrawal, if the limits allow one. At most 8192 characters."""


class CreatedWebhookSubscription(TypedDict):
    id: str
    """The subscription."""
    url: str
    """The address of the receiver. A URL."""
    description: str | None
    """The purpose of the subscription."""
    events: list[WebhookEventType]
    """The events that are notified."""
    status: WebhookSubscriptionStatus
    """`disabled` after the receiver answered 410, or failed for five days."""
    created_at: str
    """The time of creation. RFC 3339."""
    disabled_at: str | None
    """The time at which the subscription was disabled. RFC 3339."""
    disabled_reason: WebhookDisabledReason | None
    """`endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days."""
    secret: str
    """Verifies the HMAC signatures. Only this response shows it."""


class FiatPrice(TypedDict):
    asset: str
    """The asset."""
    currency: str
    """The currency of the price (ISO 4217)."""
    price: str
    """The price of one unit of the asset."""
    as_of: str
    """The time of the price. RFC 3339."""


class Grant(TypedDict):
    id: str
    """The grant."""
    status: GrantStatus
    """The status of the grant."""
    created_at: str
    """The time at which the owner gave the grant. RFC 3339."""
    expires_at: str | None
    """The end of the grant. The grant of a service account has no end of its own. RFC 3339."""
    scopes: list[Scope]
    """The scopes of the grant."""


class GrantApprovalAction(TypedDict):
    url: str
    """The page that the owner must open. A URL."""
    expires_at: str
    """The time until which the owner can open the page. RFC 3339."""
    poll_after_ms: int
    """The number of milliseconds to wait before polling."""
    kind: Literal["grant_approval"]
    """The purpose of the visit."""


class GrantCeilings(TypedDict):
    per_payment: Money | None
    """The maximum of one payment."""
    per_day: Money | None
    """The maximum of all payments of this client in a UTC day, over all its grants."""


class GrantPolicy(TypedDict):
    ceilings: GrantCeilings
    """The maximum that this client can pay, by withdrawal or under a mandate; null if there is no ceiling. If there is a ceiling, payments in other currencies are refused."""
    confirmation: list[ConfirmationRule]
    """The actions that need a confirmation of the owner."""


class Health(TypedDict):
    status: HealthStatus
    """`ok` if protected requests can be served."""
    time: str
    """The current time of the server. RFC 3339."""
    checks: list[HealthCheck]
    """The checks on which the status depends."""


class HealthCheck(TypedDict):
    name: str
    """The name of the check."""
    status: HealthStatus
    """The result of the check."""


class Identity(TypedDict):
    subject: str
    """The subject of the owner for this client. Other clients see a different subject."""
    display_name: str | None
    """The name of the owner for display."""
    locale: str
    """The locale of the owner (BCP 47)."""
    timezone: str
    """The time zone of the owner (IANA)."""


class Kyc(TypedDict):
    status: KycStatus
    """The status of the verification."""
    reason_code: KycReasonCode | None
    """The reason why the owner is not verified, if the provider states one."""
    updated_at: str
    """The time of the last change. RFC 3339."""


class KycSession(TypedDict):
    id: str
    """The visit."""
    action_required: KycSessionAction
    """The page that the owner must open."""


class KycSessionAction(TypedDict):
    url: str
    """The page that the owner must open. A URL."""
    expires_at: str | None
    """The time until which the owner can open the page; null if it is not known. RFC 3339."""
    poll_after_ms: int | None
    """The number of milliseconds to wait before polling; null if nothing is polled."""
    kind: Literal["kyc_session"]
    """The purpose of the visit."""


class Mandate(TypedDict):
    id: str
    """The mandate."""
    beneficiary_id: str
    """The beneficiary of the payments."""
    state: MandateState
    """The state of the mandate."""
    currency: str
    """The currency of the caps, which is that of the beneficiary."""
    authorized_clients: list[str]
    """The clients that the mandate names. Each pays under it by a grant with authority under the mandate."""
    authorized_rules: list[str]
    """Rules of which each transfer must name one."""
    per_payment_max: str
    """The maximum of one payment."""
    daily_max: str
    """The maximum in a UTC day."""
    weekly_max: str
    """The maximum in an ISO week."""
    monthly_max: str
    """The maximum in a month."""
    total_cap: str
    """The maximum in total."""
    payment_count: int
    """The maximum number of payments. From 1 to 10000."""
    remaining: MandateRemaining
    """The remaining caps of the current UTC day, ISO week and month. Amounts with an unknown outcome count as spent."""
    expires_at: str
    """The end of the mandate. RFC 3339."""
    operation_id: str
    """The operation that creates the mandate."""
    created_at: str
    """The time of the request. RFC 3339."""
    updated_at: str
    """The time of the last change. RFC 3339."""


class MandateRemaining(TypedDict):
    daily: str
    """The remaining daily cap."""
    weekly: str
    """The remaining weekly cap."""
    monthly: str
    """The remaining monthly cap."""
    total: str
    """The remaining total cap."""
    payments: int
    """The remaining number of payments. From 0 to 10000."""


class MemoLimits(TypedDict):
    supported: bool
    """True if a memo is allowed."""
    minimum_characters: int
    """The minimum number of characters. From 0 to 8192."""
    maximum_characters: int
    """The maximum number of characters. From 0 to 8192."""


class Metadata(TypedDict):
    name: str
    """The name of this API."""
    version: str
    """The version of this API; all routes are under /v1."""
    environment: Environment
    """The environment. Tokens, keys and clients of one environment are not valid in another."""
    issuer: str
    """The issuer: the authorization server. A URL."""
    resource: str
    """The resource for which tokens are issued. A URL."""
    documentation_url: str
    """The address of the documentation. A URL."""
    openapi_url: str
    """The address of this document. A URL."""


class Money(TypedDict):
    amount: str
    """A decimal string, with the digits of the currency."""
    currency: str
    """ISO 4217."""


class Onboarding(TypedDict):
    customer: Identity
    """The identity of the owner towards this client."""
    connection: ConnectionState
    """The state of the connection to a provider."""
    kyc_status: KycStatus
    """The status of the verification."""
    kyc_session_available: bool
    """True if POST /v1/kyc/sessions would open a visit now."""
    ready: bool
    """True if nothing is missing."""
    missing: list[OnboardingRequirement]
    """The requirements that the owner does not meet yet."""


class OpenapiDocument(TypedDict):
    openapi: str
    """The version of OpenAPI."""


class Operation(TypedDict):
    id: str
    """The operation."""
    kind: OperationKind
    """The kind of write."""
    state: OperationState
    """The state of the operation. `succeeded`, `failed` and `cancelled` are final."""
    submission_uncertain: bool
    """True only if the state is `indeterminate`: the provider may have accepted the write. Do not send it again."""
    failure_code: FailureCode | None
    """The reason why the operation failed, or why its outcome is unknown. Each code has a page at /failure-codes/{code}."""
    failure_detail: str | None
    """The reason in words for people."""
    created_at: str
    """The time of acceptance. RFC 3339."""
    updated_at: str
    """The time of the last change of the state. RFC 3339."""
    resource_id: str
    """The resource that the operation concerns."""
    resource_type: ResourceType
    """The type of the resource."""
    next_reconcile_at: str | None
    """The time at which the provider is asked for the outcome again. An indeterminate operation is asked about without end, until an answer proves what became of it. RFC 3339."""
    upstream_reference: str | None
    """The provider's reference for the operation."""
    action_required: NotRequired[ActionRequired]
    """Present only while the owner has to act."""


class OperationAvailability(TypedDict):
    kind: OperationKind
    """The kind of operation."""
    available: bool
    """True if a request that starts such an operation can be accepted."""
    reason_code: str | None
    """The reason why it is not available: `not_enabled` (this environment has not enabled its capability), `not_offered_by_provider`, or `not_known` (the kinds that are offered are not known at present). Null if it is available."""


class PaymentCheck(TypedDict):
    refusal: PaymentRefusal | None
    """The problem with which the payment would be refused; null if it would be accepted."""
    confirmation_required: bool
    """True if the policy of the grant asks the owner to confirm this payment: create a confirmation intent."""
    limits: list[PaymentLimit]
    """Every limit of the grant and of the mandate that the payment is within or above."""


class PaymentLimit(TypedDict):
    limit: Literal["grant_per_payment", "grant_per_day", "mandate_per_payment", "mandate_per_day", "mandate_per_week", "mandate_per_month", "mandate_total", "mandate_payments"] | str
    """The limit, and what it belongs to. `mandate_payments` counts payments, all others amounts."""
    currency: str | None
    """The currency of the amounts; null for a count."""
    maximum: str
    """The limit itself."""
    remaining: str
    """The part of it that is left. Payments with an unknown outcome count as made."""
    remaining_after: str | None
    """The part that this payment would leave; null if it does not fit, or is in another currency."""


class PaymentRefusal(TypedDict):
    code: ProblemCode
    title: str
    """The class of problem in a few words; the same for every occurrence."""
    detail: str
    """The error of this request, in words for people."""
    fields: list[ProblemField] | None
    """The refused members, with the reasons; null if the problem does not concern members."""
    retryable: bool
    """True if repeating the identical request can safely succeed."""


class PayoutSchema(TypedDict):
    id: str
    """The payout schema, as the provider names it."""
    name: str
    """The display name."""
    country: str
    """The country of the account (ISO 3166-1 alpha-2)."""
    currency: str
    """The currency of payments (ISO 4217)."""
    rail: str
    """The payout method. 1 to 128 characters."""
    fields: list[PayoutSchemaField]
    """The fields of `details` of a beneficiary."""
    example_details: dict[str, str]
    """Example details that are valid for this schema."""


class PayoutSchemaField(TypedDict):
    key: str
    """The member of `details`."""
    label: str
    """The display label."""
    type: PayoutFieldType
    """Any string, or one of `options`."""
    pattern: str | None
    """A pattern for the value (ECMA-262)."""
    min_length: int | None
    """The minimum number of characters."""
    max_length: int | None
    """The maximum number of characters."""
    options: list[str] | None
    """The permitted values; null if the type is not `enum`."""
    required: bool
    """True if the field is required."""


class Problem(TypedDict):
    type: str
    """The page of the code: a stable address for the class of problem. A URL."""
    title: str
    """The class of problem in a few words; the same for every occurrence."""
    status: int
    """The HTTP status. From 400 to 599."""
    detail: str
    """The error of this request, in words for people."""
    instance: str
    """The path of the request."""
    code: ProblemCode
    fields: list[ProblemField] | None
    """The refused members, with the reasons; null if the problem does not concern members."""
    request_id: str
    """The value of X-Request-Id. Give it to support to identify this request."""
    retryable: bool
    """True if repeating the identical request can safely succeed."""
    submission_uncertain: bool
    """True if a write may have reached the provider. Read its operation, and never submit the write again."""


class ProblemField(TypedDict):
    message: str
    """A sentence that says what to send instead."""
    path: str
    """A dot-delimited path in the body, or the name of a header, query parameter or path parameter."""


class ProviderEventCapabilities(TypedDict):
    inbound: Availability
    """Receive events from the provider."""


class PublicConfig(TypedDict):
    capabilities: Capabilities
    """The capabilities of this environment."""


class Purchase(TypedDict):
    id: str
    """The purchase."""
    quote_id: str
    """The quote of the purchase."""
    service_id: str
    """The service."""
    state: PurchaseState
    """The state of the purchase."""
    total: Money
    """The price."""
    released_at: str
    """The time at which the provider released the purchase. RFC 3339."""
    updated_at: str
    """The time of the last change. RFC 3339."""


class PurchaseCapabilities(TypedDict):
    exact_execute: Availability
    """Execute an exact quote."""
    query_execute: Availability
    """Execute a purchase that a query finds."""


class PurchaseQuote(TypedDict):
    id: str
    """The quote."""
    indicative: Literal[True]
    """Always true: prices may change."""
    executable: Literal[False]
    """Always false: a quote cannot be executed."""
    service_id: str
    """The service."""
    product_id: str
    """The product of the service."""
    quantity: int
    """The number of units."""
    total: Money
    """The total price."""
    expires_at: str
    """The time at which the quote expires. RFC 3339."""


class RegisteredClient(TypedDict):
    id: str
    """The registered client id."""
    name: str
    """The name of the client as owners know it."""
    profile: ClientProfile
    """The kind of application."""


class RequestToConfirm(TypedDict):
    path: str
    """The concrete path of the request. 1 to 512 characters."""
    body: NotRequired[dict[str, Any]]
    """The body of the request; absent if the request has none."""


class RotatedWebhookSubscription(TypedDict):
    id: str
    """The subscription."""
    url: str
    """The address of the receiver. A URL."""
    description: str | None
    """The purpose of the subscription."""
    events: list[WebhookEventType]
    """The events that are notified."""
    status: WebhookSubscriptionStatus
    """`disabled` after the receiver answered 410, or failed for five days."""
    created_at: str
    """The time of creation. RFC 3339."""
    disabled_at: str | None
    """The time at which the subscription was disabled. RFC 3339."""
    disabled_reason: WebhookDisabledReason | None
    """`endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days."""
    secret: str
    """Verifies the HMAC signatures. Only this response shows it."""
    previous_secret_until: str
    """The time until which the previous secret also signs, one day from now. RFC 3339."""


class Service(TypedDict):
    id: str
    """The service."""
    name: str
    """The display name."""
    category: str
    """The kind of service."""
    capabilities: list[ServiceCapability]
    """The capabilities of the service."""
    documentation_url: str | None
    """The address of further documentation. A URL."""


class ServiceCapability(TypedDict):
    name: str
    """The capability."""
    available: bool
    """True if the capability is available in this environment, and the owner's provider offers at least one of its operations."""
    reason_code: str | None
    """The reason why it is not available; null if it is."""
    required_scopes: list[str]
    """The scopes that a grant needs for it."""
    granted: bool
    """True if it is available and the grant has every required scope."""
    operations: list[OperationAvailability]
    """The kinds of operations that requests of this capability start, with their availability at the owner's provider. Empty for reads."""


class ServiceConnection(TypedDict):
    id: str
    """The connection."""
    status: ServiceConnectionStatus
    """`disconnecting` while the connection is being ended."""
    provider_name: str
    """The provider."""
    connected_at: str
    """The time at which the provider was connected. RFC 3339."""


class SignedMoney(TypedDict):
    amount: str
    """A decimal string, with the digits of the currency; negative if more is owed than held."""
    currency: str
    """ISO 4217."""


class SpendingAccount(TypedDict):
    held: Money
    """The amount that can be spent."""
    promotional_credit: Money
    """The promotional credit."""
    owed: Money
    """The amount that is owed."""


class Transfer(TypedDict):
    id: str
    """The transfer: `resource_id` of its operation."""
    operation_id: str
    """The operation that carries it out."""
    kind: TransferKind
    """`transfer` is a withdrawal; `mandate_transfer` was made under a mandate."""
    state: OperationState
    """The state of the operation. `succeeded`, `failed` and `cancelled` are final."""
    mandate_id: str | None
    """The mandate of the transfer; null for a withdrawal."""
    beneficiary_id: str
    """The beneficiary of the payment."""
    amount: Money
    """The amount."""
    reference: str | None
    """The reference that the beneficiary sees: `reference`, or `memo` of a withdrawal."""
    rule: str | None
    """The rule of the mandate that the transfer names; null if it names none."""
    upstream_reference: str | None
    """The provider's reference for the transfer."""
    created_at: str
    """The time of acceptance. RFC 3339."""
    updated_at: str
    """The time of the last change of the state. RFC 3339."""


class TransferCapabilities(TypedDict):
    execute: Availability
    """Execute transfers and withdrawals."""


class TransferQuote(TypedDict):
    id: str
    """The quote."""
    indicative: Literal[True]
    """Always true: prices may change."""
    executable: Literal[False]
    """Always false: a quote cannot be executed."""
    source: Money
    """The amount that would be sent."""
    target: Money
    """The amount that would arrive."""
    rate: str
    """The amount of the target currency for one unit of the source currency."""
    fee: Money
    """The fee."""
    rail: str
    """The payout method. 1 to 128 characters."""
    estimated_arrival: str | None
    """The expected time of arrival. RFC 3339."""
    expires_at: str
    """The time at which the quote expires. RFC 3339."""


class VirtualAccountEconomics(TypedDict):
    items: list[VirtualAccountFees]
    """One entry for each currency."""


class VirtualAccountFees(TypedDict):
    currency: str
    """The currency of the account (ISO 4217)."""
    monthly_fee: Money
    """The fee per month."""
    inbound_fee_fixed: str
    """The fixed part of the fee for each payment."""
    inbound_fee_basis_points: str
    """The variable part of the fee, in hundredths of a percent of the amount."""
    settlement_days: int
    """The number of days until a payment can be spent."""


class WebhookDelivery(TypedDict):
    id: str
    """The `webhook-id` of every attempt."""
    event_type: WebhookEventType
    """The notified event."""
    operation_id: str
    """The operation that moved."""
    status: WebhookDeliveryStatus
    """The state of the delivery."""
    attempts: int
    """The number of attempts so far."""
    last_status_code: int | None
    """The HTTP status of the last attempt. From 100 to 999."""
    next_attempt_at: str | None
    """The time of the next attempt. RFC 3339."""
    created_at: str
    """The time at which the event was received for delivery. RFC 3339."""


class WebhookPayload(TypedDict):
    type: WebhookEventType
    """The event."""
    timestamp: str
    """The time at which the operation moved to the state, even if the notification is late. RFC 3339."""
    data: WebhookPayloadData
    """The operation that moved."""


class WebhookPayloadData(TypedDict):
    operation_id: str
    """The operation, which the receiver must read."""
    kind: OperationKind
    """The kind of the operation."""
    state: OperationState
    """The state after the move."""
    submission_uncertain: bool
    """True if the provider may have accepted the write and we do not know it."""


class WebhookSubscription(TypedDict):
    id: str
    """The subscription."""
    url: str
    """The address of the receiver. A URL."""
    description: str | None
    """The purpose of the subscription."""
    events: list[WebhookEventType]
    """The events that are notified."""
    status: WebhookSubscriptionStatus
    """`disabled` after the receiver answered 410, or failed for five days."""
    created_at: str
    """The time of creation. RFC 3339."""
    disabled_at: str | None
    """The time at which the subscription was disabled. RFC 3339."""
    disabled_reason: WebhookDisabledReason | None
    """`endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days."""


class WithdrawalLimits(TypedDict):
    currency: str
    """The currency of the amounts here."""
    minimum_amount: str
    """The minimum amount of a withdrawal."""
    maximum_amount: str
    """The maximum amount of a withdrawal."""
    fee_fixed: str
    """The fixed part of the fee."""
    fee_basis_points: str
    """The variable part of the fee, in hundredths of a percent of the amount."""
    rail: str
    """The payout method. 1 to 128 characters."""
    memo: MemoLimits
    """The memo of a withdrawal."""
    purpose_codes: list[str]
    """The purposes of which a withdrawal may name one."""


HealthStatus: TypeAlias = Literal["ok", "degraded"]


Environment: TypeAlias = Literal["local", "test", "production"]


GrantStatus: TypeAlias = Literal["active", "suspended", "revoked", "expired"]


Scope: TypeAlias = Literal["accounts:read", "activity:read", "authorization:read", "beneficiaries:read", "beneficiaries:write", "cards:manage", "cards:read", "identity:read", "kyc:read", "operations:read", "purchases:read", "services:read", "spending:read", "spending:withdraw", "transfers:quote"] | str


ClientProfile: TypeAlias = Literal["web", "spa", "native", "device", "service"]


ConfirmedAction: TypeAlias = Literal["mandate_create", "mandate_revoke", "service_disconnect", "transfer"] | str


ConfirmationStatus: TypeAlias = Literal["pending", "confirmed", "declined", "consumed", "expired"]


ConfirmableAction: TypeAlias = Literal["mandate_create", "mandate_revoke", "service_disconnect", "transfer"]


OperationState: TypeAlias = Literal["requires_action", "accepted", "submitting", "submitted", "succeeded", "failed", "indeterminate", "cancelled"]


OperationKind: TypeAlias = Literal["beneficiary_create", "card_close", "card_create", "card_freeze", "card_unfreeze", "mandate_create", "mandate_revoke", "mandate_suspend", "mandate_transfer", "transfer", "transfer_grant_revoke"]


FailureCode: TypeAlias = Literal["operation_kind_unsupported", "submission_invalid", "submission_expired", "provider_unreachable", "provider_refused", "provider_rejected_details", "provider_authentication_failed", "provider_identity_required", "provider_settlement_failed", "authority_withdrawn", "approval_declined", "approval_expired", "provider_timeout", "provider_connection_lost", "provider_error", "provider_response_invalid", "attempt_interrupted", "provider_evidence_ambiguous", "provider_record_missing"] | str


ResourceType: TypeAlias = Literal["beneficiary", "mandate", "card", "withdrawal", "mandate_transfer", "service_connection"] | str


ActionRequired: TypeAlias = GrantApprovalAction | CardRevealAction | ConnectAction | KycSessionAction


TransferKind: TypeAlias = Literal["mandate_transfer", "transfer"] | str


WebhookEventType: TypeAlias = Literal["operation.requires_action", "operation.accepted", "operation.submitting", "operation.submitted", "operation.succeeded", "operation.failed", "operation.indeterminate", "operation.cancelled"] | str


WebhookSubscriptionStatus: TypeAlias = Literal["active", "disabled"]


WebhookDisabledReason: TypeAlias = Literal["endpoint_gone", "endpoint_failing"] | str


WebhookEventFilter: TypeAlias = Literal["operation.requires_action", "operation.accepted", "operation.submitting", "operation.submitted", "operation.succeeded", "operation.failed", "operation.indeterminate", "operation.cancelled"]


WebhookDeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]


ConnectionState: TypeAlias = Literal["connected", "disconnected", "none"]


KycStatus: TypeAlias = Literal["not_started", "pending", "in_review", "verified", "rejected", "expired"]


OnboardingRequirement: TypeAlias = Literal["provider_connection", "identity_verification"] | str


ServiceConnectionStatus: TypeAlias = Literal["connected", "disconnecting"]


KycReasonCode: TypeAlias = Literal["details_mismatch", "document_expired", "document_not_accepted", "document_unreadable", "information_missing", "not_eligible", "verification_lapsed", "other"] | str


AccountType: TypeAlias = Literal["current", "savings", "virtual"] | str


AccountStatus: TypeAlias = Literal["active", "restricted", "closed"]


ActivitySource: TypeAlias = Literal["account", "card", "spending"]


ActivityDirection: TypeAlias = Literal["in", "out"]


ActivityStatus: TypeAlias = Literal["pending", "posted", "reversed"]


BeneficiaryState: TypeAlias = Literal["pending", "active", "failed"]


PayoutFieldType: TypeAlias = Literal["string", "enum"] | str


MandateState: TypeAlias = Literal["pending", "active", "suspending", "suspended", "revoking", "revoked", "revocation_failed", "expired", "exhausted", "failed"]


ProblemCode: TypeAlias = Literal["malformed_json", "malformed_request", "invalid_token", "invalid_dpop_proof", "use_dpop_nonce", "insufficient_scope", "capability_unavailable", "confirmation_required", "confirmation_pending", "confirmation_declined", "confirmation_mismatch", "webhooks_unavailable", "mandate_client_not_authorized", "mandate_rule_not_authorized", "route_not_found", "operation_not_found", "transfer_not_found", "beneficiary_not_found", "payout_schema_not_found", "confirmation_intent_not_found", "mandate_not_found", "card_not_found", "service_connection_not_found", "account_not_found", "purchase_quote_not_found", "purchase_not_found", "service_not_found", "webhook_subscription_not_found", "webhook_delivery_not_found", "grant_not_found", "method_not_allowed", "method_not_implemented", "request_timeout", "provider_connection_unavailable", "idempotency_key_conflict", "idempotency_key_expired", "confirmation_already_used", "confirmation_expired", "resource_busy", "mandate_not_active", "mandate_revocation_in_progress", "mandate_already_revoked", "mandate_cap_exceeded", "grant_ceiling_exceeded", "card_not_active", "card_not_frozen", "card_already_closed", "card_reveal_refused", "grant_not_active", "kyc_session_unavailable", "webhook_subscription_limit_reached", "payload_too_large", "unsupported_media_type", "expectation_failed", "validation_failed", "rate_limited", "request_header_too_large", "internal_error", "response_contract_failed", "authorization_unavailable", "provider_unavailable", "service_unavailable", "acceptance_unknown"] | str
"""Stable and machine-readable. Each has a page at /problems/{code}."""


CardType: TypeAlias = Literal["virtual", "physical"]


CardState: TypeAlias = Literal["pending", "active", "freezing", "frozen", "unfreezing", "closing", "closed", "failed"]


FixedSide: TypeAlias = Literal["source", "target"]


PurchaseState: TypeAlias = Literal["released", "fulfilled", "refunded"]


AssetType: TypeAlias = Literal["fiat", "crypto"] | str


KnownScope: TypeAlias = Literal["accounts:read", "activity:read", "authorization:read", "beneficiaries:read", "beneficiaries:write", "cards:manage", "cards:read", "identity:read", "kyc:read", "operations:read", "purchases:read", "services:read", "spending:read", "spending:withdraw", "transfers:quote"]
"""A scope that a client can ask for."""
