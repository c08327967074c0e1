"""The verb `pay`: one payment, once."""

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
    timeout: float | None,
) -> Outcome:
    """Pays once per intent, and waits for the outcome."""
    if allowance is None and payee is not None:
        withdrawal: CreateWithdrawalRequest = {
            "beneficiary_id": _id_of(payee),
            "amount": amount_text(amount),
            "currency": currency,
        }
        if reference is not None:
            withdrawal["memo"] = reference
        return await _paid(caller, "spending.withdraw", [], intent, {**withdrawal}, timeout)
    if allowance is not None and payee is None:
        transfer: CreateMandateTransferRequest = {"amount": amount_text(amount), "currency": currency}
        if reference is not None:
            transfer["reference"] = reference
        return await _paid(caller, "mandates.transfer", [_id_of(allowance)], intent, {**transfer}, timeout)
    raise ClientError("invalid_use", "Give a payee or an allowance.")


async def _paid(
    caller: Caller, name: str, parameters: list[str], intent: str, body: dict[str, Any], timeout: float | None
) -> Outcome:
    with time_limit(timeout):
        operation = await caller.write(name, parameters, intent, CallOptions(timeout), body=body)
        return await caller.wait(operation, timeout)


def _id_of(given: Beneficiary | Mandate | str) -> str:
    return given if isinstance(given, str) else given["id"]
