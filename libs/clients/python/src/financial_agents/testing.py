"""A fake API in memory, for the unit tests of an agent.

`api.agent()` and `api.async_agent()` are clients of it: no network, no sign-in, no owner to ask. It accepts each write once, shows its
operation, and fails as a test orders it.
"""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import httpx

from ._async.client import AsyncFinancialAgents
from ._sync.client import FinancialAgents
from .auth.profile import AuthContext
from .generated.faults import NetworkFault, ProviderFault, network_faults, provider_faults
from .generated.models import Operation, Problem, ProblemCode
from .generated.problems import problems
from .generated.table import table
from .oauth import TokenAnswer, access_ended
from .request_log import row_for
from .row import Row, row_of

__all__ = ["FakeApi", "FaultName", "Payment", "operation", "problem"]

_ORIGIN = "https://api.test"
_PAYMENTS = ("spending.pay", "mandates.pay")
_METHODS = {(row.method, row.path): name for name, row in ((name, row_of(text)) for name, text in table.items())}

FaultName = NetworkFault | ProviderFault | ProblemCode
"""A fault by name: between client and API, of the provider, or the code of a refusal of the API."""


@dataclass(frozen=True)
class Payment:
    """A payment that the API has accepted."""

    operation: str
    """The identifier of its operation."""
    payee: str
    allowance: str | None
    """The identifiers of the payee, and of the allowance if it is paid under one."""
    amount: str
    currency: str
    reference: str | None


@dataclass
class _Fault:
    name: str
    on: tuple[str, ...]
    times: int


@dataclass
class _Write:
    body: str
    operation: dict[str, Any]
    then: str


class FakeApi:
    """A fake API. It knows one payout schema, `iban`, and no payee."""

    def __init__(self) -> None:
        self.payments: list[Payment] = []
        """The payments that the API has accepted, in order. A repeated payment is one."""
        self.requests: list[str] = []
        """The requests that the API has received: `POST /v1/spending-account/withdrawals`."""
        self._faults: list[_Fault] = []
        self._answers: dict[str, object] = {}
        self._writes: dict[str, _Write] = {}
        """The accepted writes, by their keys."""
        self._beneficiaries: dict[str, dict[str, Any]] = {}
        self._mandates: dict[str, dict[str, Any]] = {}
        self._ids = map(_id, count(1))
        self._has_ended = False

    def agent(self, **options: Any) -> FinancialAgents:
        """A client of this API, with options of yours, for example a store."""
        client = httpx.Client(transport=httpx.MockTransport(self._handle))
        return FinancialAgents(_ORIGIN, "agent-under-test", _Anyone(self), http_client=client, **options)

    def async_agent(self, **options: Any) -> AsyncFinancialAgents:
        """A client that awaits."""
        client = httpx.AsyncClient(transport=httpx.MockTransport(self._handle))
        return AsyncFinancialAgents(_ORIGIN, "agent-under-test", _Anyone(self), http_client=client, **options)

    def fault(self, name: FaultName, *, on: str | None = None, times: int = 1) -> None:
        """Orders a fault for the next payment, or for the next call of a method (`beneficiaries.create`); `times` of them."""
        self._faults.append(_Fault(name, _PAYMENTS if on is None else (on,), times))

    def answer(self, on: str, body: object) -> None:
        """Gives a method the answer of a read from now on. A read that has none is refused with `route_not_found`."""
        self._answers[on] = body

    def settle(self) -> None:
        """Moves every operation to its end, as the provider's word would."""
        for write in self._writes.values():
            failure = (write.operation["failure_code"] or "provider_refused") if write.then == "failed" else None
            write.operation.update(state=write.then, submission_uncertain=False, failure_code=failure)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.requests.append(f"{request.method} {path}")
        row = row_for(request.method, path)
        fault = self._next(_name_of(row))
        if fault is None or fault in provider_faults:
            return self._answer_to(request, row, fault)
        if fault not in network_faults:
            refusal = problem(cast("ProblemCode", fault), origin=_ORIGIN)
            if refusal["submission_uncertain"]:
                self._answer_to(request, row, None)
            return _refused(refusal)
        accepted, answer = network_faults[fault]
        if accepted:
            self._answer_to(request, row, None)
        self._has_ended = self._has_ended or answer == "ended"
        return _disturbed(answer, request)

    def _next(self, name: str) -> str | None:
        for fault in self._faults:
            if fault.times > 0 and name in fault.on:
                fault.times -= 1
                return fault.name
        return None

    def _answer_to(self, request: httpx.Request, row: Row | None, fault: str | None) -> httpx.Response:
        given = self._answers.get(_name_of(row))
        if given is not None:
            return httpx.Response(200, json=given)
        if row is not None and row.keyed:
            return self._write(request, row, fault)
        answer = self._read(request, _name_of(row))
        if answer is not None:
            return httpx.Response(201 if request.method == "POST" else 200, json=answer)
        detail = f"The fake API has no answer: {request.url.path}"
        return _refused(problem("route_not_found", origin=_ORIGIN, detail=detail))

    def _write(self, request: httpx.Request, row: Row, fault: str | None) -> httpx.Response:
        key, body = request.headers["idempotency-key"], request.content.decode()
        earlier = self._writes.get(key)
        if earlier is not None and earlier.body != body:
            return _refused(problem("idempotency_key_conflict", origin=_ORIGIN))
        write = earlier or self._accepted(row, "".join(request.url.path.split("/")[3:4]), body, fault)
        self._writes[key] = write
        return httpx.Response(202, json=write.operation)

    def _accepted(self, row: Row, parent: str, body: str, fault: str | None) -> _Write:
        usual = ("succeeded", None, "succeeded")
        state, failure, then = usual if fault is None else provider_faults[cast("ProviderFault", fault)]
        made = operation(
            id=next(self._ids),
            kind=row.kind,
            state=state,
            resource_id=next(self._ids),
            resource_type=row.kind,
            failure_code=failure,
        )
        if state != "failed":
            self._make(made, parent, json.loads(body or "{}"))
        return _Write(body, cast("dict[str, Any]", made), then)

    def _make(self, made: Operation, parent: str, body: dict[str, Any]) -> None:
        """Makes the resource of an accepted write."""
        kind, resource_id = made["kind"], made["resource_id"]
        resource: dict[str, Any] = {**body, "id": resource_id, "state": "active", "operation_id": made["id"]}
        if kind == "beneficiary_create":
            # The API shows the end of each detail alone.
            details: dict[str, str] = resource.pop("details", {})
            ends = {name: detail[-4:] for name, detail in details.items()}
            self._beneficiaries[resource_id] = {**resource, "masked_details": ends}
        elif kind == "mandate_create":
            self._mandates[resource_id] = resource
        elif kind in ("transfer", "mandate_transfer"):
            allowance = parent if kind == "mandate_transfer" else None
            mandate = self._mandates.get(parent, {})
            payee = body.get("beneficiary_id") or mandate.get("beneficiary_id", "")
            reference = body.get("memo") or body.get("reference")
            self.payments.append(Payment(made["id"], payee, allowance, body["amount"], body["currency"], reference))

    def _read(self, request: httpx.Request, name: str) -> object:
        wanted = request.url.path.rpartition("/")[2]
        writes = [write.operation for write in self._writes.values()]
        match name:
            case "operations.get":
                return next((one for one in writes if one["id"] == wanted), None)
            case "operations.list":
                key = request.url.params.get("idempotency_key")
                found = self._writes.get(key or "")
                return {"items": [*reversed(writes)] if key is None else [found.operation] if found else []}
            case "beneficiaries.list":
                return {"items": [*self._beneficiaries.values()], "next_cursor": None}
            case "beneficiaries.get":
                return self._beneficiaries.get(wanted)
            case "mandates.list":
                return {"items": [*self._mandates.values()], "next_cursor": None}
            case "mandates.get":
                return self._mandates.get(wanted)
            case "payout_schemas.list":
                return {"items": [{"id": "iban", "fields": [{"key": "iban", "required": True}]}], "next_cursor": None}
            case "confirmations.create" | "confirmations.get":
                return {"id": _id(0), "status": "confirmed"}
            case _:
                return None


class _Anyone:
    """The profile of a client that is signed in."""

    def __init__(self, api: FakeApi) -> None:
        self._api = api

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        return {}

    async def obtain(self, context: AuthContext) -> TokenAnswer:
        if self._api._has_ended:  # pyright: ignore[reportPrivateUsage]
            raise access_ended()
        return {"access_token": "token", "token_type": "DPoP", "expires_in": 3_600}


def operation(**members: Any) -> Operation:
    """An operation: a payment that has succeeded, if nothing else is said."""
    state = members.get("state", "succeeded")
    made: dict[str, Any] = {
        "id": _id(1),
        "kind": "transfer",
        "state": state,
        "submission_uncertain": state == "indeterminate",
        "created_at": "2026-11-23T08:00:00.000Z",
        "updated_at": "2026-11-23T08:00:00.000Z",
        "resource_id": _id(2),
        "resource_type": "withdrawal",
        "upstream_reference": None,
        "failure_code": None,
        "failure_detail": None,
        "next_reconcile_at": None,
        **members,
    }
    return cast("Operation", made)


def problem(code: ProblemCode, *, origin: str, **members: Any) -> Problem:
    """The problem details of a refusal. Status and title are those of the code."""
    status, title, retryable, submission_uncertain = problems.get(code, (400, "A title of the API.", False, False))
    made: dict[str, Any] = {
        "type": f"{origin}/problems/{code}",
        "title": title,
        "status": status,
        "detail": f"{title}.",
        "instance": "/v1/some/path",
        "code": code,
        "fields": None,
        "request_id": "request-1",
        "retryable": retryable,
        "submission_uncertain": submission_uncertain,
        **members,
    }
    return cast("Problem", made)


def _id(number: int) -> str:
    return f"01980000-0000-7000-8000-{number:012}"


def _name_of(row: Row | None) -> str:
    return "" if row is None else _METHODS[row.method, row.path]


def _refused(body: Problem, headers: dict[str, str] | None = None) -> httpx.Response:
    given = {"content-type": "application/problem+json", **(headers or {})}
    return httpx.Response(body["status"], content=json.dumps(body), headers=given)


def _disturbed(answer: str, request: httpx.Request) -> httpx.Response:
    """The end of a request that something between client and API disturbs."""
    match answer:
        case "unsent":
            raise httpx.ConnectError("no connection", request=request)
        case "late":
            raise httpx.ReadTimeout("no answer came in time", request=request)
        case "ended":
            challenge = {"www-authenticate": 'DPoP error="invalid_token"'}
            return _refused(problem("invalid_token", origin=_ORIGIN), challenge)
        case "page":
            return httpx.Response(403, text="<html></html>", headers={"content-type": "text/html"})
        case "cut":
            return httpx.Response(202, stream=_Cut(), headers={"content-type": "application/json"})
        case _:
            raise httpx.ReadError("the answer is lost", request=request)


class _Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off."""

    def __iter__(self) -> Iterator[bytes]:
        raise httpx.ReadError("the answer breaks off")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part
