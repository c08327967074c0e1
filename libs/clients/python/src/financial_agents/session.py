"""The tokens of one owner's grant.

They are renewed by one request at a time, kept in the store, and never shown. When the grant has ended, every call is refused until
`sign_in` asks the owner again: the client never asks a second time by itself.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import NotRequired, TypedDict, cast

from .auth.profile import Auth, AuthContext
from .client_error import ClientError
from .oauth import OAuthRefusal, TokenAnswer, access_ended, explain
from .store import Within

_NAME = "session"
# A token is renewed if less than this is left of its lifetime.
_MARGIN_MS = 20_000


class _Tokens(TypedDict):
    accessToken: str
    expiresAtMs: float
    refreshToken: NotRequired[str]
    scope: str


class Session:
    """The grant of one owner."""

    def __init__(self, auth: Auth, store: Within, context: AuthContext) -> None:
        self._auth = auth
        self._store = store
        self._context = context
        self._held: _Tokens | None = None
        self._renewing = context.driver.lock()
        # The tokens that the API has refused. The store does not learn of them: it may keep the newer session of another process by now, which a
        # write would replace.
        self._refused: set[str] = set()

    async def token(self) -> str:
        """Returns a token that stays valid for some seconds more.

        Raises ClientError, or Unsent if a token may be available later.
        """
        held = self._held
        if held is not None and self._is_good(held):
            return held["accessToken"]
        with self._explained():
            async with self._renewing:
                held = self._held
                if held is not None and self._is_good(held):
                    return held["accessToken"]
                return (await self._renew())["accessToken"]

    def refused(self, token: str) -> None:
        """Called if the API refused this token: the next call obtains another one."""
        self._refused.add(token)

    async def sign_in(self) -> list[str]:
        """Obtains tokens; returns the scopes of the grant. The profile of a device asks the owner."""
        with self._explained():
            async with self._renewing:
                self._context.pending.clear()
                return (await self._obtain()).get("scope", "").split()

    async def sign_out(self) -> None:
        """Forgets the tokens."""
        async with self._renewing:
            self._held = None
            await self._store.delete(_NAME)

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except Exception as error:
            explained = explain(error, self._context.clock.now())
            if explained is error:
                raise
            raise explained from error

    async def _obtain(self) -> _Tokens:
        return await self._keep(await self._auth.obtain(self._context))

    async def _renew(self) -> _Tokens:
        kept = await self._store.get(_NAME)
        if kept is None:
            return await self._obtain()
        if "ended" in kept:
            raise access_ended()
        tokens = cast("_Tokens", kept)
        if self._is_good(tokens):
            self._held = tokens
            return tokens
        if "refreshToken" not in tokens:
            return await self._obtain()
        return await self._refresh(tokens, tokens["refreshToken"])

    async def _refresh(self, before: _Tokens, refresh_token: str) -> _Tokens:
        parameters = {
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
            "resource": self._context.resource,
        }
        answer: TokenAnswer | OAuthRefusal
        try:
            answer = await self._context.server.tokens(lambda: parameters | self._auth.authenticate(self._context))
        except OAuthRefusal as refusal:
            if refusal.result != "invalid_grant":
                raise
            answer = refusal
        kept = await self._store.get(_NAME)
        # Another process has signed in or out meanwhile, or has seen the end of the grant. Its session is the newer one.
        if kept is None or kept.get("refreshToken") != refresh_token:
            return await self._renew()
        if not isinstance(answer, OAuthRefusal):
            return await self._keep(answer, before)
        self._held = None
        await self._store.set(_NAME, {"ended": True}, secret=True)
        raise answer

    async def _keep(self, answer: TokenAnswer, before: _Tokens | None = None) -> _Tokens:
        access_token = answer.get("access_token")
        if access_token is None:
            raise ClientError("response_invalid", "The authorization server answered without a token.")
        tokens: _Tokens = {
            "accessToken": access_token,
            "expiresAtMs": time.time() * 1_000 + answer.get("expires_in", 300) * 1_000,
            "scope": answer.get("scope") or (before["scope"] if before else ""),
        }
        # A refresh keeps the refresh token, so the answer need not contain it.
        refresh_token = answer.get("refresh_token") or (before.get("refreshToken") if before else None)
        if refresh_token is not None:
            tokens["refreshToken"] = refresh_token
        self._held = tokens
        await self._store.set(_NAME, tokens, secret=True)
        self._refused.clear()
        return tokens

    def _is_good(self, tokens: _Tokens) -> bool:
        return tokens["accessToken"] not in self._refused and tokens["expiresAtMs"] > time.time() * 1_000 + _MARGIN_MS
