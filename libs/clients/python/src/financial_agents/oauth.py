"""The requests to the authorization server (RFC 6749, 8414, 8628, 9449).

Its failures become errors that say what to do. Only an error of OAuth is its result: any other answer may come from something in between,
and says nothing about the grant or the client.
"""

import re
from collections.abc import Callable
from typing import Any, TypedDict, cast
from urllib.parse import urlencode
from uuid import uuid4

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

from .client_error import ClientError
from .clock import Clock
from .dpop import DPoP
from .http import Http, NoAnswer, retry_after_s
from .own_answer import has_type, parsed


class TokenAnswer(TypedDict, total=False):
    """Tokens as the server gave them."""

    access_token: str
    token_type: str
    expires_in: int
    refresh_token: str
    scope: str


class OAuthRefusal(Exception):
    """A refusal of the authorization server, or an answer that has no tokens."""

    def __init__(self, response: httpx.Response, error: str, description: str | None = None) -> None:
        super().__init__(f"{error}: {description}" if description else error)
        self.response = response
        self.error = error

    @property
    def result(self) -> str | None:
        """The error of OAuth (RFC 6749, 5.2) by which the server decided.

        None if it has not decided, or if the answer may be that of something in between.
        """
        is_own = self.response.status_code in (400, 401) and has_type(self.response, "application/json")
        return self.error if is_own and re.fullmatch("[a-z_]+", self.error) else None


class Unsent(Exception):
    """The request itself was not sent, because no token was available at that time."""

    def __init__(self, cause: Exception, after_s: float | None = None) -> None:
        super().__init__(f"no access token could be had: {cause}")
        self.cause = cause
        self.after_s = after_s


class AuthorizationServer:
    """The authorization server of one environment, as one client asks it."""

    def __init__(self, http: Http, dpop: DPoP, clock: Clock, origin: str, client_id: str) -> None:
        self._http = http
        self._dpop = dpop
        self._clock = clock
        self._origin = origin
        self._client_id = client_id
        self._metadata: dict[str, Any] | None = None

    async def post(self, endpoint: str, parameters: dict[str, str]) -> dict[str, Any]:
        """Posts to an endpoint of the metadata; returns the JSON of the answer. Raises OAuthRefusal."""
        return _json_from(await self._send(endpoint, parameters, proven=False))

    async def tokens(self, parameters: Callable[[], dict[str, str]]) -> TokenAnswer:
        """Asks for tokens; asks again if the server first wants its nonce in the proof. Raises OAuthRefusal.

        `parameters` makes the parameters of one request. Each request needs new ones, because a client assertion is accepted once.
        """
        # The metadata's answer tells the server's time, which an assertion carries.
        await self._read_metadata()
        try:
            return await self._tokens(parameters())
        except OAuthRefusal as refusal:
            if refusal.error != "use_dpop_nonce":
                raise
            return await self._tokens(parameters())

    def assertion(self, key: ECKey, kid: str | None) -> dict[str, str]:
        """The parameters of `private_key_jwt` (RFC 7523)."""
        now = int(self._clock.now())
        claims = {
            "iss": self._client_id,
            "sub": self._client_id,
            "aud": self._origin,
            "jti": str(uuid4()),
            "iat": now,
            "nbf": now,
            "exp": now + 60,
        }
        header = {"alg": "ES256"} if kid is None else {"alg": "ES256", "kid": kid}
        return {
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": jwt.encode(header, claims, key),
        }

    async def _tokens(self, parameters: dict[str, str]) -> TokenAnswer:
        response = await self._send("token_endpoint", parameters, proven=True)
        try:
            answer = _json_from(response)
        except OAuthRefusal as refusal:
            if refusal.result is not None:
                self._http.learn_time(response)
            raise
        # A token that is not bound to the key would be refused everywhere.
        if not isinstance(answer.get("access_token"), str) or str(answer.get("token_type")).lower() != "dpop":
            raise OAuthRefusal(response, "no_dpop_token")
        self._http.learn_time(response)
        return cast("TokenAnswer", answer)

    async def _send(self, endpoint: str, parameters: dict[str, str], *, proven: bool) -> httpx.Response:
        url = str((await self._read_metadata()).get(endpoint))
        headers = {"accept": "application/json", "content-type": "application/x-www-form-urlencoded"}
        if proven:
            headers["dpop"] = await self._dpop.proof("POST", url)
        body = urlencode({"client_id": self._client_id, **parameters})
        response = await self._http.send("POST", url, headers, body)
        self._dpop.learn(url, response.headers)
        return response

    async def _read_metadata(self) -> dict[str, Any]:
        if self._metadata is None:
            url = f"{self._origin}/.well-known/oauth-authorization-server"
            response = await self._http.send("GET", url, {"accept": "application/json"})
            metadata = _json_from(response)
            # If the issuer were another one, its endpoints would receive the secrets of this client (RFC 8414, 3.3).
            if metadata.get("issuer") != self._origin:
                raise ClientError(
                    "response_invalid",
                    f"The issuer at {self._origin} is {metadata.get('issuer')}: is that the base_url?",
                )
            self._http.learn_time(response)
            self._metadata = metadata
        return self._metadata


def _json_from(response: httpx.Response) -> dict[str, Any]:
    body = parsed(response)
    answer = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    if response.status_code == 200 and answer and has_type(response, "application/json"):
        return answer
    error, description = answer.get("error"), answer.get("error_description")
    raise OAuthRefusal(
        response,
        error if isinstance(error, str) else f"http_{response.status_code}",
        description if isinstance(description, str) else None,
    )


_OF_THE_CLIENT = {"invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"}
_ADVICES = {
    "access_denied": (
        "sign_in_declined",
        "The owner declined. Ask again with agent.sign_in() if the owner wants to.",
    ),
    "invalid_dpop_proof": ("clock_wrong", "The proof was refused. Is the clock of this machine right?"),
    "expired_token": ("sign_in_declined", "The code was not used in time. Call agent.sign_in() for a new one."),
}


def explain(error: Exception, now: float) -> Exception:
    """Explains why no token was obtained: by a ClientError, or by Unsent if a token may be available later.

    `now` is the server's time.
    """
    if isinstance(error, NoAnswer):
        return Unsent(error.error)
    if isinstance(error, TimeoutError):
        return Unsent(error)
    if not isinstance(error, OAuthRefusal):
        return error
    if error.response.status_code == 429 or error.response.status_code >= 500:
        return Unsent(error, retry_after_s(error.response, now))
    result = error.result or ""
    if result == "invalid_grant":
        return access_ended()
    if result in _OF_THE_CLIENT:
        advice = (
            "client_refused",
            "The server refuses this client. Compare client_id, key and scopes with the registration.",
        )
    else:
        advice = _ADVICES.get(result, ("response_invalid", "There are no tokens. Is base_url the origin of the API?"))
    code, text = advice
    return ClientError(code, f"{text} ({error})")


def access_ended() -> ClientError:
    """The grant has ended."""
    return ClientError(
        "access_ended",
        "The access has ended: it was revoked, or unused for 30 days, or is 90 days old. Ask the owner again with "
        "agent.sign_in(); writes in the store then go on with their intents.",
    )
