"""The verb `allowance`: the owner's permission to pay one payee within limits (a mandate)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from ..call_options import CallOptions
from ..caller import Caller
from ..client_error import ClientError
from ..generated.models import Beneficiary, CreateMandateRequest, Mandate
from ..json_text import amount_text
from ..time_limit import time_limit
from .settled import settled, shown


async def allowance(
    caller: Caller,
    *,
    intent: str,
    payee: Beneficiary | str,
    per_payment: str | Decimal,
    per_day: str | Decimal | None,
    per_week: str | Decimal | None,
    per_month: str | Decimal | None,
    total: str | Decimal,
    payments: int,
    until: datetime | str,
    metadata: Mapping[str, str] | None,
    timeout: float | None,
) -> Mandate:
    """Asks the owner for an allowance, or finds the one that this intent asked for, and waits until it is active."""
    monthly = total if per_month is None else per_month
    weekly = monthly if per_week is None else per_week
    body: CreateMandateRequest = {
        "beneficiary_id": payee if isinstance(payee, str) else payee["id"],
        "per_payment_max": amount_text(per_payment),
        "daily_max": amount_text(weekly if per_day is None else per_day),
        "weekly_max": amount_text(weekly),
        "monthly_max": amount_text(monthly),
        "total_cap": amount_text(total),
        "payment_count": payments,
        "expires_at": until if isinstance(until, str) else _text_of(until),
    }
    with time_limit(timeout):
        operation = await caller.write(
            "mandates.create", [], intent, CallOptions(timeout, metadata=metadata), body={**body}
        )
        mandate_id = await settled(caller, operation, timeout, "The allowance")
        return await shown(caller, "mandates.get", mandate_id)


def _text_of(until: datetime) -> str:
    if until.tzinfo is None:
        raise ClientError("invalid_use", "until has no time zone: give datetime(…, tzinfo=UTC), for example.")
    return until.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
