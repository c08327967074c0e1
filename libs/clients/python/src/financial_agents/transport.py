"""One request with a token and a proof (contract, "Scheme").

The request is sent again, at most once for each reason, if the API itself refused its token or proof: the API wants a fresh nonce, the
token has expired, or the proof's time was wrong and the answer has corrected the clock.
"""

import re
import time
from dataclasses import dataclass, field

import httpx

from .core import Core
from .own_answer import Promised, has_type, operation_of, parsed, problem_in
from .request_log import OnResponse, RequestEntry, ResponseEntry, template_of


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


class HookFailed(Exception):
    """A hook raised after the request was sent."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


async def send(core: Core, request: ApiRequest, on_response: OnResponse | None = None) -> httpx.Response:
    """Sends the request; returns the answer, whatever its status. Raises NoAnswer, HookFailed, or what prevented the request."""
    path = template_of(request.method, request.path)
    core.hooks.request(RequestEntry(request.method, path))
    started = time.monotonic()
    response = await (_send_open(core, request) if request.open else _send_protected(core, request))
    entry = ResponseEntry(
        request.method,
        path,
        response.status_code,
        response.headers.get("x-request-id"),
        (time.monotonic() - started) * 1_000,
        response.headers,
    )
    try:
        core.hooks.response(entry)
        if on_response is not None:
            on_response(entry)
    except Exception as error:
        raise HookFailed(error) from error
    return response


def operation_read(operation_id: str) -> ApiRequest:
    """The read of an operation."""
    return ApiRequest(
        "GET", f"/v1/operations/{operation_id}", promised=Promised(200, operation_of(operation_id=operation_id))
    )


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
