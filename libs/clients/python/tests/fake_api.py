"""A server that answers as a test orders it, for clients without a network. Tokens and proofs are checked, nonces demanded."""

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from email.utils import formatdate
from hashlib import sha256
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

from financial_agents import AsyncFinancialAgents, FinancialAgents, Store, service
from financial_agents.store import AnyStore

ORIGIN = "https://api.example"
Reply = httpx.Response | Exception
Answer = Callable[[httpx.Request], Reply]
SERVICE_KEY = ECKey.generate_key("P-256").as_dict(private=True)


class FakeApi:
    """Answers the requests of the API in order by `answers`, and those of the authorization server by itself."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.token_requests: list[dict[str, str]] = []
        self.offset_s = 0.0
        """The difference between the server's clock and this machine's."""
        self.lifetime_s = 300
        self.token: Callable[[], Reply | None] = lambda: None
        """Called at a request for tokens; replaces the answer if it returns one."""
        self.assertions: list[str | None] = []
        self._lock = Lock()

    def agent(self, store: Store | None = None, retry_for: float = 60, account: str = "owner") -> FinancialAgents:
        auth = service(key={**SERVICE_KEY, "kid": "one"}, scopes=["operations:read"])
        client = httpx.Client(transport=httpx.MockTransport(self.handle))
        return FinancialAgents(
            ORIGIN, "app", auth, store=store, account=account, retry_for=retry_for, http_client=client
        )

    def async_agent(self, store: AnyStore | None = None, retry_for: float = 60) -> AsyncFinancialAgents:
        auth = service(key={**SERVICE_KEY, "kid": "one"}, scopes=["operations:read"])
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.handle))
        return AsyncFinancialAgents(ORIGIN, "app", auth, store=store, retry_for=retry_for, http_client=client)

    def paths(self) -> list[str]:
        return [f"{request.method} {request.url.raw_path.decode()}" for request in self.asked]

    def handle(self, request: httpx.Request) -> httpx.Response:
        response = self._response(request)
        response.headers.setdefault("date", formatdate(time.time() + self.offset_s, usegmt=True))
        return response

    def _response(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/.well-known/"):
            return httpx.Response(200, json={"issuer": ORIGIN, "token_endpoint": f"{ORIGIN}/token"})
        if request.url.path == "/token":
            return self._token(request)
        claims = proof_of(request)
        if claims.get("nonce") != "nonce-1":
            challenge = {"www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": "nonce-1"}
            return problem("use_dpop_nonce", 401, headers=challenge)
        token = request.headers["authorization"].removeprefix("DPoP ")
        assert claims["ath"] == urlsafe_b64encode(sha256(token.encode()).digest()).decode().rstrip("=")
        with self._lock:
            self.asked.append(request)
            answer = self.answers.pop(0)
        reply = answer(request)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _token(self, request: httpx.Request) -> httpx.Response:
        asked = {name: given[0] for name, given in parse_qs(request.content.decode()).items()}
        assertion = asked.get("client_assertion")
        with self._lock:
            assert assertion not in self.assertions, "an assertion is accepted once"
            self.assertions.append(assertion)
        if proof_of(request).get("nonce") != "nonce-1":
            return httpx.Response(400, json={"error": "use_dpop_nonce"}, headers={"dpop-nonce": "nonce-1"})
        with self._lock:
            self.token_requests.append(asked)
            number = len(self.token_requests)
        reply = self.token()
        if isinstance(reply, Exception):
            raise reply
        if reply is not None:
            return reply
        body = {"access_token": f"token-{number}", "token_type": "DPoP", "expires_in": self.lifetime_s}
        return httpx.Response(200, json=body)


def proof_of(request: httpx.Request) -> dict[str, Any]:
    """The claims of the request's proof, verified by the key in its header."""
    proof = request.headers["dpop"]
    header = json.loads(_decoded(proof.split(".")[0]))
    assert header["typ"] == "dpop+jwt"
    assert set(header["jwk"]) == {"kty", "crv", "x", "y"}
    claims = jwt.decode(proof, ECKey.import_key(header["jwk"])).claims
    assert claims["htm"] == request.method
    assert claims["htu"] == str(request.url).partition("?")[0]
    return claims


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def answered(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    return lambda _: httpx.Response(status, json=body, headers=headers)


def refused(
    code: str, status: int, *, retryable: bool = False, uncertain: bool = False, retry_after: str | None = None
) -> Answer:
    """A refusal of the API itself."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return lambda _: problem(code, status, headers=headers, retryable=retryable, submission_uncertain=uncertain)


def problem(code: str, status: int, *, headers: dict[str, str] | None = None, **more: object) -> httpx.Response:
    """The API's problem details."""
    body = {
        "type": f"{ORIGIN}/problems/{code}",
        "title": "No.",
        "status": status,
        "detail": "no",
        "instance": "/v1/some/path",
        "code": code,
        "retryable": False,
        "submission_uncertain": False,
        "request_id": "req-1",
        "fields": [{"path": "amount", "message": "too large"}],
        **more,
    }
    given = {"content-type": "application/problem+json", **(headers or {})}
    return httpx.Response(status, content=json.dumps(body), headers=given)


def page(status: int, headers: dict[str, str] | None = None) -> Answer:
    """An answer of something in between."""
    given = {"content-type": "text/html", **(headers or {})}
    return lambda _: httpx.Response(status, text="<html></html>", headers=given)


def lost(error: type[httpx.TransportError] = httpx.ReadError) -> Answer:
    return lambda request: error("gone", request=request)


def operation(operation_id: str = "op-1", state: str = "accepted", **more: object) -> dict[str, Any]:
    """An operation, as the API shows it."""
    return {
        "id": operation_id,
        "kind": "mandate_transfer",
        "state": state,
        "submission_uncertain": state == "indeterminate",
        "created_at": "2026-11-23T08:00:00.000Z",
        "resource_type": "mandate_transfer",
        "upstream_reference": None,
        "updated_at": "2026-11-23T08:00:00.000Z",
        "resource_id": "res-1",
        "failure_code": None,
        "failure_detail": None,
        "next_reconcile_at": None,
        **more,
    }
