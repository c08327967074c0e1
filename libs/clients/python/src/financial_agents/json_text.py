"""The JSON of requests: how values become text, and the canonical form by which two bodies are equal (RFC 8785).

The client for TypeScript finds the same canonical form of the same body.
"""

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from .client_error import ClientError


def json_text(body: object) -> str:
    """The JSON of a body.

    A `Decimal` is written as a decimal string, a `datetime` in UTC, and a `UUID` as text. Raises ClientError `invalid_use`.
    """
    try:
        return _escaped(json.dumps(body, ensure_ascii=False, allow_nan=False, default=_plain))
    except (TypeError, ValueError, RecursionError) as error:
        raise ClientError("invalid_use", f"The body cannot be sent as JSON: {error}. Nothing was sent.") from error


def amount_text(amount: str | Decimal) -> str:
    """The decimal string of an amount, without an exponent. Raises ClientError `invalid_use`."""
    if not isinstance(amount, Decimal):
        return amount
    if not amount.is_finite():
        raise ClientError("invalid_use", f"The amount is {amount}: give a finite number.")
    return f"{amount:f}"


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return amount_text(value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a datetime has no time zone: give datetime(…, tzinfo=UTC), for example")
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"a {type(value).__name__} has no JSON")


def canonical(text: str) -> str:
    """The canonical form of a JSON text: members sorted, strings and numbers as ECMAScript writes them."""
    return _canonical(json.loads(text))


def _canonical(value: object) -> str:
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, cast('list[object]', value)))}]"
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        names = sorted(members, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_canonical(name)}:{_canonical(members[name])}" for name in names) + "}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value)
    return _escaped(json.dumps(value, ensure_ascii=False))


def _number(value: float) -> str:
    """The number as ECMAScript writes it: the shortest digits of the double, with an exponent below 1e-6 and from 1e21."""
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double):
        return "null"
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    text = "".join(map(str, digits))
    # The number is 0.text times ten to the power of `point`.
    point = len(text) + cast("int", exponent)
    if text == "0":
        return "0"
    if 0 < point <= 21:
        written = text.ljust(point, "0") if len(text) <= point else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        written = f"0.{'0' * -point}{text}"
    else:
        fraction = f".{text[1:]}" if len(text) > 1 else ""
        written = f"{text[0]}{fraction}e{point - 1:+d}"
    return f"-{written}" if sign else written


def _escaped(text: str) -> str:
    """Writes half a pair of surrogates as an escape: it has no form in UTF-8."""
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
