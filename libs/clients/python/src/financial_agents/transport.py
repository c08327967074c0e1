"""One request with a token and a proof (contract, "Scheme").

The request is sent again, at most once for each reason, if the API itself refused its token or proof: the API wants a fresh nonce, the
token has expired, or the proof's time was wrong and the answer has corrected the clock.
"""

import re
import time
from dataclasses import dataclass, field

import httpx

from .core import Core, log
from .own_answer import Promised, has_type, operation_of, parsed, problem_in


@dataclass(frozen=True)
class ApiRequest:
    """A request of the API."""

    method: str
    path: str
    """The concrete path, with its query."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: str | None = None
    open: bool = False
    """Needs no credentials."""
    promised: Promised = field(default_factory=Promised)
    """The answer that proves success."""


async def send(core: Core, request: ApiRequest) -> httpx.Response:
    """Sends the request; returns the answer, whatever its status."""
    started = time.monotonic()
    response = await (_send_open(core, request) if request.open else _send_protected(core, request))
    log.debug(
        "%s %s answered %d in %d ms, request %s",
        request.method,
        path_of(request),
        response.status_code,
        (time.monotonic() - started) * 1_000,
        response.headers.get("x-request-id"),
    )
    return response


def operation_read(operation_id: str) -> ApiRequest:
    """The read of an operation."""
    return ApiRequest(
        "GET", f"/v1/operations/{operation_id}", promised=Promised(200, operation_of(operation_id=operation_id))
    )


def path_of(request: ApiRequest) -> str:
    """The path without its query, for logs."""
    return request.path.partition("?")[0]


async def _send_open(core: Core, request: ApiRequest) -> httpx.Response:
    return await core.http.send(request.method, core.origin + request.path, request.headers, request.body)


async def _send_protected(core: Core, request: ApiRequest) -> httpx.Response:
    answered: set[str] = set()
    while True:
        token = await core.session.token()
        skew_s = core.clock.skew_s
        response = await _with_token(core, token, request)
        error = _challenge_of(core, request, response)
        if error is None or error in answered:
            return response
        answered.add(error)
        if error == "invalid_token":
            core.session.refused(token)
        elif error != "use_dpop_nonce" and (error != "invalid_dpop_proof" or core.clock.skew_s == skew_s):
            # A wrong clock makes a wrong proof. The request is sent again only if the answer's Date has corrected the clock.
            return response


async def _with_token(core: Core, token: str, request: ApiRequest) -> httpx.Response:
    url = core.origin + request.path
    headers = {name.lower(): value for name, value in request.headers.items()}
    if request.body is not None:
        headers.setdefault("content-type", "application/json")
    headers["authorization"] = f"DPoP {token}"
    headers["dpop"] = await core.dpop.proof(request.method, url, token)
    response = await core.http.send(request.method, url, headers, request.body)
    core.dpop.learn(url, response.headers)
    return response


def _challenge_of(core: Core, request: ApiRequest, response: httpx.Response) -> str | None:
    """The reason for which the API refused token or proof.

    A challenge of something in between leaves open if the request was carried out.
    """
    if response.status_code != 401:
        return None
    # An answer to HEAD has no body.
    if request.method == "HEAD":
        is_own = has_type(response, "application/problem+json")
    else:
        is_own = problem_in(response, parsed(response), core.origin) is not None
    if not is_own:
        return None
    core.http.learn_time(response)
    found = re.search(r'\berror="?([a-z_]+)', response.headers.get("www-authenticate", ""))
    return found[1] if found else None
