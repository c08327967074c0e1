# Written by `pnpm gen` from _async/client.py; change it there.
"""The client of the Financial Agents API: one object for one OAuth client and one owner.

Importing the package has no effect: nothing is read or sent before the first call.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

import httpx

from ..drive import run
from ..auth.profile import Auth
from ..call_options import CallOptions
from ..caller import Caller
from ..core import create_core
from ..drive import Blocking
from ..generated.models import Beneficiary, Mandate
from ..intent_record import Note
from ..outcome import Outcome
from ..owner import OnOwnerNeeded
from ..request_log import Hooks, OnRepeat, OnRequest, OnResponse
from ..store import Store
from ..stores.memory import memory_store
from ..verbs.allowance import allowance
from ..verbs.pay import pay
from ..verbs.payee import payee
from .methods import Resources
from .tracked_operation import TrackedOperation


class FinancialAgents(Resources):
    """A client of the API for one owner. Threads may share it.

    - `base_url`: the environment's origin, for example `https://api.example.com`. Plain HTTP is accepted on loopback only.
    - `client_id`: the registered client id.
    - `auth`: the client's profile: `device(…)` or `service(…)`.
    - `store`: keeps keys, tokens and durable writes. Without it they end with the process.
    - `account`: your name for the owner whose grant this is, if one store serves several owners.
    - `on_owner_needed`: shows the owner a page: sign-in, confirmation, approval.
    - `on_request`, `on_response`, `on_repeat`: a log of the requests, without tokens, keys and bodies.
    - `attempt_timeout`: the time-out of one attempt, in seconds: for the connection, for each silence of the server, and for its whole answer.
    - `retry_for`: the time for which calls repeat what may be repeated, in seconds.
    - `http_client`: an `httpx.Client` of yours, for example one with a proxy. Its time-outs replace `attempt_timeout`.

    Every call takes `timeout`: the longest time of the whole call, in seconds. 0 sets no limit, and waits neither for the owner nor for
    an outcome. Every write takes `metadata`: facts of your own, which stay in the store, and which `metadata` finds by the operation.

    Raises ClientError `invalid_use` if `base_url` is not an origin with HTTPS.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        auth: Auth,
        *,
        store: Store | None = None,
        account: str = "owner",
        on_owner_needed: OnOwnerNeeded | None = None,
        on_request: OnRequest | None = None,
        on_response: OnResponse | None = None,
        on_repeat: OnRepeat | None = None,
        attempt_timeout: float = 30,
        retry_for: float = 60,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._http_client = http_client or httpx.Client(timeout=attempt_timeout)
        self._core = create_core(
            base_url,
            client_id,
            auth,
            memory_store() if store is None else store,
            account,
            on_owner_needed,
            Blocking(self._http_client),
            Hooks(on_request, on_response, on_repeat),
            retry_for,
        )
        super().__init__(Caller(self._core))

    def sign_in(self, *, timeout: float | None = None) -> list[str]:
        """Asks the owner to sign in, and waits; returns the scopes that the owner allowed. A service account needs no owner."""
        return run(self._caller.sign_in(timeout))

    def sign_out(self) -> None:
        """Forgets the tokens."""
        run(self._caller.sign_out())

    def payee(
        self,
        *,
        intent: str,
        name: str,
        country: str,
        currency: str,
        details: Mapping[str, str],
        payout_schema: str | None = None,
        nickname: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Beneficiary:
        """Adds a payee, or finds the one that this intent added; waits until it can be paid: `timeout` seconds in all, or 60 once it is accepted.

        `name`: of the account holder. `country`: ISO 3166-1 alpha-2. `currency`: ISO 4217. `details`: the account by the fields of the
        payout schema, `{"iban": …}` for example. `payout_schema`: its id, if several take these details.

        Raises NotSettledError (ClientError `not_settled`) if it has not been added (yet), whose `outcome` says how it stands;
        ClientError `wait_failed`.
        """
        return run(payee(
            self._caller,
            intent=intent,
            name=name,
            country=country,
            currency=currency,
            details=details,
            payout_schema=payout_schema,
            nickname=nickname,
            metadata=metadata,
            timeout=timeout,
        ))

    def allowance(
        self,
        *,
        intent: str,
        payee: Beneficiary | str,
        per_payment: str | Decimal,
        total: str | Decimal,
        payments: int,
        until: datetime | str,
        per_day: str | Decimal | None = None,
        per_week: str | Decimal | None = None,
        per_month: str | Decimal | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Mandate:
        """Asks the owner for an allowance, or finds the one that this intent asked for; waits until it is active: `timeout` seconds in all, or 60 once it
        is accepted.

        Amounts are decimal strings or `Decimal`, in the payee's currency: the maximum of one payment, in a UTC day, an ISO week and a
        month (each is the next longer one if it is left out), and in total. `payments`: their maximum number, from 1 to 10000. `until`:
        at most 365 days ahead. Repeat the intent with the same end.

        Raises ApiProblem `confirmation_declined`; NotSettledError; ClientError `wait_failed`.
        """
        return run(allowance(
            self._caller,
            intent=intent,
            payee=payee,
            per_payment=per_payment,
            per_day=per_day,
            per_week=per_week,
            per_month=per_month,
            total=total,
            payments=payments,
            until=until,
            metadata=metadata,
            timeout=timeout,
        ))

    def pay(
        self,
        *,
        intent: str,
        amount: str | Decimal,
        currency: str,
        payee: Beneficiary | str | None = None,
        allowance: Mandate | str | None = None,
        reference: str | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Outcome:
        """Pays once per intent, and waits for the outcome: `timeout` seconds in all, or 60 once it is accepted.

        Give a `payee`, to pay from the spending account, or an `allowance`. `amount`: a decimal string or a `Decimal`, no finer than the
        currency's smallest unit. `reference`: the text that the payee reads. Repeat it with the same intent as often as you like: the
        same payment is found.

        Raises ApiProblem if the API refuses the payment; ClientError as every write, or `wait_failed` if an error ended the wait for an
        accepted payment, which goes on. `submission_uncertain` true on either: the payment may have been accepted, so repeat it with the
        same intent.
        """
        return run(pay(
            self._caller,
            intent=intent,
            payee=payee,
            allowance=allowance,
            amount=amount,
            currency=currency,
            reference=reference,
            metadata=metadata,
            timeout=timeout,
        ))

    def wait(self, operation_id: str, timeout: float | None = None) -> Outcome:
        """Waits for an operation by its id, for example after a webhook: `timeout` seconds in all, or 60 once it has been read.

        Raises ClientError `wait_failed`: the operation goes on; ApiProblem if the API has no operation with this id.
        """
        return run(self._caller.wait_for(operation_id, timeout))

    def metadata(self, operation_id: str) -> Note | None:
        """The intent of a write of this store, and the metadata that were given with it; None if there were none."""
        return run(self._caller.metadata(operation_id))

    def write(
        self,
        path: str,
        body: Mapping[str, Any] | None,
        *,
        intent: str,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
        retry_for: float | None = None,
    ) -> TrackedOperation:
        """Makes a durable write to any keyed path of the API, including a route that this version of the client does not know."""
        options = CallOptions(timeout, retry_for, metadata=metadata)
        return TrackedOperation(self._caller, run(self._caller.write_to(path, body, intent, options)))

    def fetch(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: str | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """Sends one request with token and proof, without repetition; returns the raw response, whatever its status."""
        return run(self._caller.fetch(path, method, headers, body, timeout))

    def close(self) -> None:
        """Closes the connections."""
        self._http_client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
