"""The verb `pay`: one payment, once."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..call_options import CallOptions
from ..caller import Caller
from ..client_error import ClientError
from ..generated.models import (
    Beneficiary,
    CreateMandateTransferRequest,
    CreateWithdrawalRequest,
    Mandate,
)
from ..json_text import amount_text
from ..outcome import Outcome
from ..time_limit import time_limit


async def pay(
    caller: Caller,
    *,
    intent: str,
    payee: Beneficiary | str | None,
    allowance: Mandate | str | None,
    amount: str | Decimal,
    currency: str,
    reference: str | None,
    metadata: Mapping[str, str] | None,
    timeout: float | None,
) -> Outcome:
    """Pays once per intent, and waits for the outcome."""
    options = CallOptions(timeout, metadata=metadata)
    if allowance is None and payee is not None:
        withdrawal: CreateWithdrawalRequest = {
            "beneficiary_id": _id_of(payee),
            "amount": amount_text(amount),
            "currency": currency,
        }
        if reference is not None:
            withdrawal["memo"] = reference
        return await _paid(caller, "spending.pay", [], intent, {**withdrawal}, options)
    if allowance is not None and payee is None:
        transfer: CreateMandateTransferRequest = {"amount": amount_text(amount), "currency": currency}
        if reference is not None:
            transfer["reference"] = reference
        return await _paid(caller, "mandates.pay", [_id_of(allowance)], intent, {**transfer}, options)
    raise ClientError("invalid_use", "Give a payee or an allowance.")


async def _paid(
    caller: Caller, name: str, parameters: list[str], intent: str, body: dict[str, Any], options: CallOptions
) -> Outcome:
    with time_limit(options.timeout):
        operation = await caller.write(name, parameters, intent, options, body=body)
        return await caller.wait(operation, options.timeout)


def _id_of(given: Beneficiary | Mandate | str) -> str:
    return given if isinstance(given, str) else given["id"]
