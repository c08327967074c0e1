"""Proofs of possession (DPoP, RFC 9449) by the one key of this client.

The key is made once and kept: a grant belongs to the key with which it was obtained. Each origin has a nonce of its own.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from joserfc import jwt
from joserfc.jwk import ECKey

from .clock import Clock
from .store import Within

_NAME = "dpop-key"


class DPoP:
    """Makes the proofs of one client. The first proof reads the key, or makes it."""

    def __init__(self, store: Within, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._key: ECKey | None = None
        self._nonces: dict[str, str] = {}

    async def proof(self, method: str, url: str, access_token: str | None = None) -> str:
        """The proof for one request. `access_token`: the token that the request carries (`ath`), if it carries one."""
        if self._key is None:
            self._key = await _kept_key(self._store)
        header: dict[str, Any] = {"alg": "ES256", "jwk": _public(self._key)}
        claims: dict[str, Any] = {
            "jti": str(uuid4()),
            "htm": method,
            "htu": url.partition("?")[0].partition("#")[0],
            "iat": int(self._clock.now()),
        }
        nonce = self._nonces.get(_origin_of(url))
        if nonce is not None:
            claims["nonce"] = nonce
        if access_token is not None:
            claims["ath"] = urlsafe_b64encode(sha256(access_token.encode()).digest()).decode().rstrip("=")
        return jwt.encode(header, claims, self._key, default_type="dpop+jwt")

    def learn(self, url: str, headers: Mapping[str, str]) -> None:
        """Keeps the answer's nonce for the next proof to the same origin."""
        nonce = headers.get("dpop-nonce")
        if nonce:
            self._nonces[_origin_of(url)] = nonce


async def _kept_key(store: Within) -> ECKey:
    """Returns the kept key, or makes and keeps one.

    Two processes that make a key at the same time get the same key.
    """
    kept = await store.get(_NAME)
    if kept is None:
        made = {"jwk": ECKey.generate_key("P-256").as_dict(private=True)}
        kept = made if await store.set(_NAME, made, if_absent=True, secret=True) else await store.get(_NAME)
    return es256_key(kept["jwk"])


def es256_key(jwk: Mapping[str, Any]) -> ECKey:
    """The private key of a JWK. Ignores members that restrict its use, such as the `key_ops` of other libraries."""
    return ECKey.import_key({name: jwk[name] for name in ("kty", "crv", "x", "y", "d")})


def _public(key: ECKey) -> dict[str, Any]:
    jwk = key.as_dict(private=False)
    return {name: jwk[name] for name in ("kty", "crv", "x", "y")}


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
