"""Verification of webhooks (Standard Webhooks): HMAC `v1` by the subscription's secret, Ed25519 `v1a` by the published keys.

The raw body is verified, never parsed and written again. A webhook only tells when to read: `agent.wait(operation_id)`.
"""

import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, cast

from joserfc.jwk import OKPKey
from joserfc.jws import JWSRegistry

from .client_error import ClientError
from .generated.models import WebhookPayload


class SupportsItems(Protocol):
    """Headers with several values of one name, such as those of `http.server`."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


@dataclass(frozen=True)
class Webhook:
    """A verified webhook. Deliveries repeat: handle each `id` once."""

    id: str
    sent_at: datetime
    payload: WebhookPayload


WebhookHeaders = Mapping[str, Any] | SupportsItems | Iterable[tuple[str | bytes, str | bytes]]
"""The headers of a request, as a server has them: a mapping, an object with `items`, or pairs. Names are in any letter case."""


def verify_webhook(
    headers: WebhookHeaders,
    body: bytes | bytearray | memoryview | str,
    *,
    secrets: Sequence[str] = (),
    jwks: Mapping[str, Any] | None = None,
    tolerance_s: float = 300,
    now: float | None = None,
) -> Webhook:
    """Verifies a webhook and returns its content. Raises ClientError `webhook_invalid`: answer 400, and do nothing.

    `body`: the raw body as it was received, not the parsed object. `secrets`: the secrets of the subscription (`whsec_…`): several while
    one is being replaced. `jwks`: the JWK Set at `/.well-known/webhooks-jwks.json` of the API. Give `secrets`, `jwks` or both.
    `tolerance_s`: how old, and how far ahead, the webhook may be. `now`: the time in seconds since 1970, for tests.
    """
    if not secrets and jwks is None:
        raise ClientError("invalid_use", "Give the secrets of the subscription, the published keys, or both.")
    _check_raw(body)
    if not tolerance_s >= 0:
        raise ClientError("invalid_use", "tolerance_s is a number of seconds, from 0 on.")
    webhook_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signatures = _header_of(headers, "webhook-signature")
    if (
        not re.fullmatch(r"[0-9]{1,12}", timestamp)
        or not abs((time.time() if now is None else now) - int(timestamp)) <= tolerance_s
    ):
        raise _invalid(f"its time is more than {tolerance_s:g} s away: it may be a replay, or this clock is wrong")
    raw = _encoded(body) if isinstance(body, str) else bytes(body)
    signed = _encoded(f"{webhook_id}.{timestamp}.") + raw
    keys: Sequence[Mapping[str, Any]] = jwks["keys"] if jwks is not None else ()
    secret_keys = [_secret_bytes(secret) for secret in secrets]
    if not any(_verifies(*given, signed, secret_keys, keys) for given in _signatures_of(signatures)):
        raise _invalid("no signature is by one of the keys")
    return Webhook(webhook_id, datetime.fromtimestamp(int(timestamp), UTC), json.loads(raw))


def _signatures_of(header: str) -> Iterator[tuple[str, bytes]]:
    # Entries are separated by a blank, or by a comma if the header came several times.
    for version, encoded in re.findall(r"(?:^|[ ,])(v1a?),([^ ,]+)", header):
        if (signature := _decoded(encoded)) is not None:
            yield version, signature


def _verifies(
    version: str, signature: bytes, signed: bytes, secrets: Sequence[bytes], keys: Sequence[Mapping[str, Any]]
) -> bool:
    if version == "v1":
        return any(hmac.compare_digest(hmac.digest(secret, signed, "sha256"), signature) for secret in secrets)
    if version == "v1a":
        return any(
            _ED25519.verify(signed, signature, OKPKey.import_key({name: key[name] for name in ("kty", "crv", "x")}))
            for key in keys
            if key.get("crv") == "Ed25519"
        )
    return False


_ED25519 = JWSRegistry.algorithms["EdDSA"]


def _secret_bytes(secret: str) -> bytes:
    raw = _decoded(secret.removeprefix("whsec_"))
    if not raw:
        # The message does not quote the secret.
        raise ClientError("invalid_use", "A secret is whsec_ and base64.")
    return raw


def _decoded(base64: str) -> bytes | None:
    try:
        return b64decode(base64, validate=True)
    except ValueError:  # also of a text that is not ASCII
        return None


def _encoded(text: str) -> bytes:
    """The bytes of any text, so that one that is no Unicode fails as a wrong signature does."""
    return text.encode("utf-8", "surrogatepass")


def _header_of(headers: WebhookHeaders, name: str) -> str:
    given = cast("Any", headers)
    pairs: Iterable[tuple[Any, Any]] = given.items() if hasattr(given, "items") else given
    values = [value for key, value in pairs if _text_of(key).lower() == name]
    value = ", ".join(_text_of(one) for one in values if one)
    if not value:
        raise _invalid(f"the header {name} is missing")
    return value


def _text_of(given: Any) -> str:
    """The text of a name or a value: ASGI has bytes, and some servers have a list of the values of one name."""
    if isinstance(given, list | tuple):
        return ", ".join(_text_of(one) for one in cast("Sequence[Any]", given))
    return given.decode("latin-1") if isinstance(given, bytes) else str(given)


def _check_raw(body: object) -> None:
    if not isinstance(body, str | bytes | bytearray | memoryview):
        raise ClientError("invalid_use", "Give the raw body, before it is parsed: its bytes are signed.")


def _invalid(why: str) -> ClientError:
    return ClientError("webhook_invalid", f"The webhook is not accepted: {why}.")
