"""The verb `pay`: one payment, once."""

from decimal import Decimal

from ..client_error import ClientError
from ..generated.methods import Resources
from ..generated.models import (
    Beneficiary,
    CreateMandateTransferRequest,
    CreateWithdrawalRequest,
    Mandate,
)
from ..json_text import amount_text
from ..outcome import Outcome


def pay(
    resources: Resources,
    *,
    intent: str,
    payee: Beneficiary | str | None,
    allowance: Mandate | str | None,
    amount: str | Decimal,
    currency: str,
    reference: str | None,
    timeout: float,
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
        return resources.spending.withdraw(withdrawal, intent=intent).wait(timeout)
    if allowance is not None and payee is None:
        transfer: CreateMandateTransferRequest = {"amount": amount_text(amount), "currency": currency}
        if reference is not None:
            transfer["reference"] = reference
        return resources.mandates.transfer(_id_of(allowance), transfer, intent=intent).wait(timeout)
    raise ClientError("invalid_use", "Give a payee or an allowance.")


def _id_of(given: Beneficiary | Mandate | str) -> str:
    return given if isinstance(given, str) else given["id"]
