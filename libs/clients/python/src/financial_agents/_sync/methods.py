# Written by `pnpm gen` from _async/methods.py; change it there.
"""The methods of the client, by resource."""

from __future__ import annotations

from collections.abc import Mapping

from ..drive import run
from ..call_options import CallOptions
from ..caller import Caller
from ..generated.models import (
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
)
from ..request_log import OnResponse
from .pages import Pages
from .tracked_operation import TrackedOperation


class SystemResource:
    """`agent.system`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def health(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Health:
        """Read the health of this gateway: `GET /v1/health`. `degraded` means that protected requests are refused for now. The gateway asks no other service, so frequent polling is cheap. Needs no credentials."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("system.health", [], options))

    def metadata(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Metadata:
        """Read the metadata of this environment: `GET /v1/metadata`. Needs no credentials."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("system.metadata", [], options))

    def public_config(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PublicConfig:
        """List the capabilities of this environment: `GET /v1/public-config`. All capabilities are unavailable until the environment enables them. `GET /v1/services` says which operations the provider of an owner offers; another one is refused with `capability_unavailable`. Needs no credentials."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("system.public_config", [], options))

    def openapi(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> OpenapiDocument:
        """This document: `GET /v1/openapi.json`. It changes only with a release: ask again with `If-None-Match`. Needs no credentials."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("system.openapi", [], options))


class AuthorizationResource:
    """`agent.authorization`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Authorization:
        """Read the current grant and what it delegates: `GET /v1/authorization`. Scope: `authorization:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("authorization.get", [], options))


class ConfirmationsResource:
    """`agent.confirmations`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateConfirmationIntentRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> ConfirmationIntent:
        """Ask the owner to confirm one request: `POST /v1/confirmation-intents`. Name the request exactly as you will send it. If the request would be refused now, it is refused here with the same problem, and the paths in `fields` start at `request`. Hand `confirmation_url` to the owner, who signs in again, reads `summary` and decides. Poll the intent meanwhile. The intent is bound to this grant, to this request and to the current provider connection, can be used once, and expires ten minutes after its creation. In addition to one of these scopes, you need the scope of the action. Scope: `spending:withdraw` or `services:read`.

        Raises ApiProblem `malformed_json`, `malformed_request`, `invalid_token`, `invalid_dpop_proof`, `use_dpop_nonce`, `insufficient_scope`, `capability_unavailable`, `method_not_allowed`, `request_timeout`, `provider_connection_unavailable`, `resource_busy`, `mandate_not_active`, `mandate_revocation_in_progress`, `mandate_already_revoked`, `grant_ceiling_exceeded`, `payload_too_large`, `unsupported_media_type`, `expectation_failed`, `validation_failed`, `rate_limited`, `request_header_too_large`, `internal_error`, `response_contract_failed`, `authorization_unavailable`, `provider_unavailable`, `service_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("confirmations.create", [], options, body={**body}))

    def get(self, intent_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> ConfirmationIntent:
        """Read a confirmation intent: `GET /v1/confirmation-intents/{intent_id}`. Poll it after `poll_after_ms` until its status is `confirmed` or `declined`. Scope: `spending:withdraw` or `services:read`.

        Raises ApiProblem `confirmation_intent_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("confirmations.get", [intent_id], options))


class IdentityResource:
    """`agent.identity`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Identity:
        """Read the display preferences of the owner: `GET /v1/identity`. Display preferences only. Nothing here proves the identity of the owner. The subject is pairwise: each client sees a different subject for the same owner. Scope: `identity:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("identity.get", [], options))


class OperationsResource:
    """`agent.operations`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, state: OperationState | None = None, kind: OperationKind | None = None, resource_id: str | None = None, idempotency_key: str | None = None, created_after: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Operation]:
        """List operations, newest first: `GET /v1/operations`. Returns at most the 100 newest matches; there is no cursor. `idempotency_key` finds the operation of a lost response. Scope: `operations:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "operations.list", [], options, query={"state": state, "kind": kind, "resource_id": resource_id, "idempotency_key": idempotency_key, "created_after": created_after, "limit": limit})

    def get(self, id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Read an operation: `GET /v1/operations/{id}`. A read never submits anything. If the operation is `indeterminate`, keep reading it. Do not repeat the write, and do not use a new key. Scope: `operations:read`.

        Raises ApiProblem `operation_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return TrackedOperation(self._caller, run(self._caller.read("operations.get", [id], options)))

    def poll_approval(self, operation_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Read the state of the approval of an operation: `POST /v1/operations/{operation_id}/approval/poll`. For an operation with `action_required`, after `poll_after_ms`. After the approval the operation continues, exactly once. Repeated polls never start another one. Scope: `operations:read`.

        Raises ApiProblem `operation_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return TrackedOperation(self._caller, run(self._caller.read("operations.poll_approval", [operation_id], options)))


class PaymentsResource:
    """`agent.payments`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, mandate_id: str | None = None, beneficiary_id: str | None = None, state: OperationState | None = None, created_after: str | None = None, created_before: str | None = None, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Transfer]:
        """List transfers, newest first: `GET /v1/transfers`. Withdrawals and transfers under mandates that this client made for the owner. Scope: `operations:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "payments.list", [], options, query={"mandate_id": mandate_id, "beneficiary_id": beneficiary_id, "state": state, "created_after": created_after, "created_before": created_before, "cursor": cursor, "limit": limit})

    def get(self, transfer_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Transfer:
        """Read a transfer: `GET /v1/transfers/{transfer_id}`. Scope: `operations:read`.

        Raises ApiProblem `transfer_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("payments.get", [transfer_id], options))


class WebhooksResource:
    """`agent.webhooks`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateWebhookSubscriptionRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> CreatedWebhookSubscription:
        """Subscribe to notifications of operations: `POST /v1/webhook-subscriptions`. Only this response shows `secret`. The address must be https on port 443 on the public internet. Scope: `operations:read`.

        Raises ApiProblem `webhooks_unavailable`, `webhook_subscription_limit_reached`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("webhooks.create", [], options, body={**body}))

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[WebhookSubscription]:
        """List webhook subscriptions: `GET /v1/webhook-subscriptions`. Scope: `operations:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "webhooks.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> WebhookSubscription:
        """Read a webhook subscription: `GET /v1/webhook-subscriptions/{id}`. Scope: `operations:read`.

        Raises ApiProblem `webhook_subscription_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("webhooks.get", [id], options))

    def delete(self, id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> None:
        """Delete a webhook subscription: `DELETE /v1/webhook-subscriptions/{id}`. Scope: `operations:read`.

        Raises ApiProblem `webhook_subscription_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        run(self._caller.read("webhooks.delete", [id], options))

    def rotate_secret(self, id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> RotatedWebhookSubscription:
        """Replace the secret of a webhook subscription: `POST /v1/webhook-subscriptions/{id}/rotate-secret`. Only this response shows the new `secret`. For one day each delivery has two `v1` signatures in `webhook-signature`, by the new secret and by the previous one; `webhook-id` stays the same. Give your receiver both secrets, and remove the previous one when that day is over. A repetition within the day replaces only the new secret, so it is safe after a lost answer. Scope: `operations:read`.

        Raises ApiProblem `webhooks_unavailable`, `webhook_subscription_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("webhooks.rotate_secret", [id], options))

    def deliveries(self, id: str, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[WebhookDelivery]:
        """List the notifications of a subscription: `GET /v1/webhook-subscriptions/{id}/deliveries`. Newest first. Scope: `operations:read`.

        Raises ApiProblem `webhook_subscription_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "webhooks.deliveries", [id], options, query={"cursor": cursor, "limit": limit})

    def resend(self, id: str, delivery_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> WebhookDelivery:
        """Send a notification again: `POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend`. At once, whatever became of it before, with the same `webhook-id`: a receiver that keeps these takes it as a repetition. A delivery that is being sent now is left to that attempt. A failed attempt is repeated if retries are left. A disabled subscription gets nothing. Scope: `operations:read`.

        Raises ApiProblem `webhooks_unavailable`, `webhook_subscription_not_found`, `webhook_delivery_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("webhooks.resend", [id, delivery_id], options))


class OnboardingResource:
    """`agent.onboarding`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Onboarding:
        """Read the onboarding state of the owner: `GET /v1/onboarding`. Answered from our own records, without a call to the provider. Scope: `kyc:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("onboarding.get", [], options))


class ConnectionResource:
    """`agent.connection`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> ServiceConnection:
        """Read the owner's connection to the provider: `GET /v1/service-connections/current`. Scope: `services:read`.

        Raises ApiProblem `service_connection_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("connection.get", [], options))

    def disconnect(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> None:
        """Disconnect the provider: `DELETE /v1/service-connections/current`. Ends the connection for every client of the owner, and starts an operation of kind `transfer_grant_revoke`. 204 guarantees that no accepted write is submitted over the connection any more. Until that is confirmed, the answer is 503 `service_unavailable`. Not keyed: the same request with the same confirmation may be repeated, and answers 204 again. Scope: `services:read`. The owner confirms it: `on_owner_needed` gets the address.

        Raises ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `service_connection_not_found`, `confirmation_already_used`, `confirmation_expired`, `resource_busy`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        run(self._caller.read("connection.disconnect", [], options))


class KycResource:
    """`agent.kyc`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Kyc:
        """Read the verification status of the owner: `GET /v1/kyc`. The only source of the verification status. It contains no evidence. Scope: `kyc:read`.

        Raises ApiProblem `provider_connection_unavailable`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("kyc.get", [], options))

    def start_session(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> KycSession:
        """Open a visit to the page that verifies the owner: `POST /v1/kyc/sessions`. Hand `action_required.url` to the owner. Not keyed: while a visit is open, the same client gets the same visit. Scope: `kyc:read`.

        Raises ApiProblem `provider_connection_unavailable`, `kyc_session_unavailable`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("kyc.start_session", [], options))


class AccountsResource:
    """`agent.accounts`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Account]:
        """List accounts: `GET /v1/accounts`. Scope: `accounts:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "accounts.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, account_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Account:
        """Read an account: `GET /v1/accounts/{account_id}`. Scope: `accounts:read`.

        Raises ApiProblem `account_not_found`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("accounts.get", [account_id], options))

    def withdrawal_limits(self, *, schema: str, currency: str | None = None, account_type: str | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> WithdrawalLimits:
        """Read the withdrawal limits of a payout schema: `GET /v1/accounts/withdrawal-limits`. The limits grant no authority to withdraw. Scope: `accounts:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("accounts.withdrawal_limits", [], options, query={"schema": schema, "currency": currency, "account_type": account_type}))


class ActivityResource:
    """`agent.activity`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, from_: str | None = None, to: str | None = None, source: ActivitySource | None = None, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[ActivityItem]:
        """List movements of money, newest first: `GET /v1/activity`. Sanitised: without account or card numbers, and without provider data. `from` is inclusive, `to` is exclusive. Scope: `activity:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "activity.list", [], options, query={"from": from_, "to": to, "source": source, "cursor": cursor, "limit": limit})


class BeneficiariesResource:
    """`agent.beneficiaries`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateBeneficiaryRequest, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Create a beneficiary: `POST /v1/beneficiaries`. `details` holds the fields that the payout schema requires. Responses contain only masks of them. Scope: `beneficiaries:write`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("beneficiaries.create", [], intent, options, body={**body})))

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Beneficiary]:
        """List beneficiaries: `GET /v1/beneficiaries`. Scope: `beneficiaries:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "beneficiaries.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, beneficiary_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Beneficiary:
        """Read a beneficiary: `GET /v1/beneficiaries/{beneficiary_id}`. Scope: `beneficiaries:read`.

        Raises ApiProblem `beneficiary_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("beneficiaries.get", [beneficiary_id], options))

    def virtual_account_economics(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> VirtualAccountEconomics:
        """List the fees of virtual accounts: `GET /v1/beneficiaries/virtual-account-economics`. Scope: `beneficiaries:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("beneficiaries.virtual_account_economics", [], options))

    def address_countries(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> AddressCountries:
        """List the countries that an address can be in: `GET /v1/beneficiaries/address-countries`. Scope: `beneficiaries:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("beneficiaries.address_countries", [], options))


class PayoutSchemasResource:
    """`agent.payout_schemas`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, country: str | None = None, currency: str | None = None, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[PayoutSchema]:
        """List payout schemas: `GET /v1/beneficiaries/payout-schemas`. Payout methods, each with the fields that it requires. Scope: `beneficiaries:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "payout_schemas.list", [], options, query={"country": country, "currency": currency, "cursor": cursor, "limit": limit})

    def get(self, payout_schema_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PayoutSchema:
        """Read a payout schema: `GET /v1/beneficiaries/payout-schemas/{payout_schema_id}`. Scope: `beneficiaries:read`.

        Raises ApiProblem `payout_schema_not_found`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("payout_schemas.get", [payout_schema_id], options))


class MandatesResource:
    """`agent.mandates`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateMandateRequest, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Create a mandate: `POST /v1/mandates`. Delegates payments to one beneficiary, within caps, until it expires. Every cap is required, and no cap may exceed the next: payment, day, week, month, total. A cap may have an exponent from -18 to 18; written out, it has at most 18 digits before the point and 18 after it, and is no finer than the smallest unit of the currency. Caps above a ceiling of the grant are refused. The owner may have to approve the mandate at the provider (`requires_action`). Scope: `spending:withdraw`. The owner confirms it: `on_owner_needed` gets the address. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `confirmation_already_used`, `confirmation_expired`, `grant_ceiling_exceeded`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("mandates.create", [], intent, options, body={**body})))

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Mandate]:
        """List mandates: `GET /v1/mandates`. The mandates that this client created or is authorised to pay under. Scope: `authorization:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "mandates.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, mandate_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Mandate:
        """Read a mandate and its remaining caps: `GET /v1/mandates/{mandate_id}`. Scope: `authorization:read`.

        Raises ApiProblem `mandate_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("mandates.get", [mandate_id], options))

    def suspend(self, mandate_id: str, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Suspend a mandate: `POST /v1/mandates/{mandate_id}/suspend`. Stops transfers that have not been submitted yet. If the operation fails, the mandate is suspended all the same, and can still be revoked. Scope: `spending:withdraw`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `mandate_not_found`, `resource_busy`, `mandate_not_active`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("mandates.suspend", [mandate_id], intent, options)))

    def revoke(self, mandate_id: str, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Revoke a mandate: `POST /v1/mandates/{mandate_id}/revoke`. A transition, not a deletion. It stops transfers that have not been submitted yet. Scope: `spending:withdraw`. The owner confirms it: `on_owner_needed` gets the address. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `mandate_not_found`, `confirmation_already_used`, `confirmation_expired`, `resource_busy`, `mandate_not_active`, `mandate_revocation_in_progress`, `mandate_already_revoked`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("mandates.revoke", [mandate_id], intent, options)))

    def pay(self, mandate_id: str, body: CreateMandateTransferRequest, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Pay under a mandate: `POST /v1/mandates/{mandate_id}/transfers`. Before acceptance, the amount is reserved against every cap of the mandate and against the ceilings of the grant. An amount with an unknown outcome counts as spent. Scope: `spending:withdraw`. Needs the capability `transfers.execute`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `mandate_client_not_authorized`, `mandate_rule_not_authorized`, `mandate_not_found`, `mandate_not_active`, `mandate_cap_exceeded`, `grant_ceiling_exceeded`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("mandates.pay", [mandate_id], intent, options, body={**body})))

    def check_payment(self, mandate_id: str, body: CreateMandateTransferRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PaymentCheck:
        """Check a payment under a mandate before it is made: `POST /v1/mandates/{mandate_id}/transfers/check`. The same checks as those of the payment, over the same body. Scope: `spending:withdraw`. Needs the capability `transfers.execute`.

        Raises ApiProblem `mandate_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("mandates.check_payment", [mandate_id], options, body={**body}))


class CardsResource:
    """`agent.cards`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateCardRequest, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Create a card: `POST /v1/cards`. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash."""
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("cards.create", [], intent, options, body={**body})))

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Card]:
        """List cards: `GET /v1/cards`. Scope: `cards:read`."""
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "cards.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, card_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Card:
        """Read a card: `GET /v1/cards/{card_id}`. The response never contains the card number. Scope: `cards:read`.

        Raises ApiProblem `card_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("cards.get", [card_id], options))

    def activity(self, card_id: str, *, from_: str | None = None, to: str | None = None, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[CardActivityItem]:
        """List movements on a card, newest first: `GET /v1/cards/{card_id}/activity`. Sanitised. `from` is inclusive, `to` is exclusive. Scope: `cards:read`.

        Raises ApiProblem `card_not_found`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "cards.activity", [card_id], options, query={"from": from_, "to": to, "cursor": cursor, "limit": limit})

    def freeze(self, card_id: str, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Freeze a card: `POST /v1/cards/{card_id}/freeze`. Accepted for an active card, and while an unfreeze is not settled. After both have settled, the card has the state of the last change at the provider. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `card_not_found`, `resource_busy`, `card_not_active`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("cards.freeze", [card_id], intent, options)))

    def unfreeze(self, card_id: str, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Unfreeze a card: `POST /v1/cards/{card_id}/unfreeze`. Accepted only after every other operation on the card has settled. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `card_not_found`, `resource_busy`, `card_not_frozen`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("cards.unfreeze", [card_id], intent, options)))

    def close(self, card_id: str, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Close a card: `POST /v1/cards/{card_id}/close`. Accepted after the card has been made, even while a freeze or an unfreeze is not settled. A closed card cannot be opened again. Scope: `cards:manage`. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `card_not_found`, `resource_busy`, `card_not_active`, `card_already_closed`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("cards.close", [card_id], intent, options)))

    def reveal(self, card_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> CardReveal:
        """Open a visit to the provider's page that shows the number: `POST /v1/cards/{card_id}/reveals`. Only that page shows the number; this API never does. Hand `action_required.url` to the owner. Each request opens a new visit. Scope: `cards:manage`. Needs the capability `cards.reveal`.

        Raises ApiProblem `card_not_found`, `card_not_active`, `card_reveal_refused`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("cards.reveal", [card_id], options))


class SpendingResource:
    """`agent.spending`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> SpendingAccount:
        """Read the spending account: `GET /v1/spending-account`. Scope: `spending:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("spending.get", [], options))

    def pay(self, body: CreateWithdrawalRequest, *, intent: str, metadata: Mapping[str, str] | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TrackedOperation:
        """Withdraw from the spending account: `POST /v1/spending-account/withdrawals`. Checked against the limits of the provider and the ceilings of the grant. A withdrawal has no resource of its own: read its operation. Scope: `spending:withdraw`. Needs the capability `transfers.execute`. The owner confirms it if the policy of the grant says so. Durable: repeat it with the same `intent` after a crash.

        Raises ApiProblem `confirmation_required`, `confirmation_pending`, `confirmation_declined`, `confirmation_mismatch`, `confirmation_already_used`, `confirmation_expired`, `grant_ceiling_exceeded`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response, metadata)
        return TrackedOperation(self._caller, run(self._caller.write("spending.pay", [], intent, options, body={**body})))

    def check_payment(self, body: CreateWithdrawalRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PaymentCheck:
        """Check a withdrawal before it is made: `POST /v1/spending-account/withdrawals/check`. The same checks as those of the withdrawal, over the same body. Scope: `spending:withdraw`. Needs the capability `transfers.execute`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("spending.check_payment", [], options, body={**body}))


class QuotesResource:
    """`agent.quotes`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateTransferQuoteRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> TransferQuote:
        """Quote a transfer: `POST /v1/quotes`. Indicative: a quote cannot be executed. Not keyed. Scope: `transfers:quote`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("quotes.create", [], options, body={**body}))


class PurchasesResource:
    """`agent.purchases`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create_quote(self, body: CreatePurchaseQuoteRequest, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PurchaseQuote:
        """Quote a purchase: `POST /v1/purchases/quotes`. Indicative: a quote cannot be executed. Not keyed. Scope: `purchases:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("purchases.create_quote", [], options, body={**body}))

    def get_quote(self, quote_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> PurchaseQuote:
        """Read a purchase quote: `GET /v1/purchases/quotes/{quote_id}`. Scope: `purchases:read`.

        Raises ApiProblem `purchase_quote_not_found`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("purchases.get_quote", [quote_id], options))

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Purchase]:
        """List purchases: `GET /v1/purchases`. Scope: `purchases:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "purchases.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, purchase_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Purchase:
        """Read a purchase: `GET /v1/purchases/{purchase_id}`. Scope: `purchases:read`.

        Raises ApiProblem `purchase_not_found`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("purchases.get", [purchase_id], options))


class ServicesResource:
    """`agent.services`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Service]:
        """List services, with the uses that the grant allows: `GET /v1/services`. Scope: `services:read`.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "services.list", [], options, query={"cursor": cursor, "limit": limit})

    def get(self, service_id: str, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Service:
        """Read a service, with the uses that the grant allows: `GET /v1/services/{service_id}`. Scope: `services:read`.

        Raises ApiProblem `service_not_found`, `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return run(self._caller.read("services.get", [service_id], options))


class ReferenceDataResource:
    """`agent.reference_data`"""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def assets(self, *, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[Asset]:
        """List assets: `GET /v1/reference-data/assets`. Public. Needs no credentials.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "reference_data.assets", [], options, query={"cursor": cursor, "limit": limit})

    def fiat_prices(self, *, assets: str | None = None, currency: str | None = None, cursor: str | None = None, limit: int | None = None, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None) -> Pages[FiatPrice]:
        """List the prices of assets in a currency: `GET /v1/reference-data/fiat-prices`. Public. Needs no credentials.

        Raises ApiProblem `provider_unavailable`, and those of every call.
        """
        options = CallOptions(timeout, retry_for, on_response)
        return Pages(self._caller, "reference_data.fiat_prices", [], options, query={"assets": assets, "currency": currency, "cursor": cursor, "limit": limit})


class Resources:
    """Every resource of the client."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.system = SystemResource(caller)
        self.authorization = AuthorizationResource(caller)
        self.confirmations = ConfirmationsResource(caller)
        self.identity = IdentityResource(caller)
        self.operations = OperationsResource(caller)
        self.payments = PaymentsResource(caller)
        self.webhooks = WebhooksResource(caller)
        self.onboarding = OnboardingResource(caller)
        self.connection = ConnectionResource(caller)
        self.kyc = KycResource(caller)
        self.accounts = AccountsResource(caller)
        self.activity = ActivityResource(caller)
        self.beneficiaries = BeneficiariesResource(caller)
        self.payout_schemas = PayoutSchemasResource(caller)
        self.mandates = MandatesResource(caller)
        self.cards = CardsResource(caller)
        self.spending = SpendingResource(caller)
        self.quotes = QuotesResource(caller)
        self.purchases = PurchasesResource(caller)
        self.services = ServicesResource(caller)
        self.reference_data = ReferenceDataResource(caller)
