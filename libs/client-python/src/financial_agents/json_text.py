"""The JSON that is sent. A `Decimal` is sent as the decimal string that the API takes for amounts."""

import json
from decimal import Decimal

from .client_error import ClientError


def json_text(body: object) -> str:
    """The text of a body. Raises ClientError `invalid_use`."""
    return json.dumps(body, ensure_ascii=False, default=_plain)


def amount_text(amount: str | Decimal) -> str:
    """The decimal string of an amount, without an exponent. Raises ClientError `invalid_use`."""
    if not isinstance(amount, Decimal):
        return amount
    if not amount.is_finite():
        raise ClientError("invalid_use", f"The amount is {amount}: give a finite number.")
    return f"{amount:f}"


def _plain(value: object) -> str:
    if isinstance(value, Decimal):
        return amount_text(value)
    raise ClientError("invalid_use", f"A body has a value of the type {type(value).__name__}, which is no JSON.")
