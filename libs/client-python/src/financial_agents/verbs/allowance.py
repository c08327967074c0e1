"""The verb `allowance`: the owner's permission to pay one payee within limits (a mandate)."""

from datetime import UTC, datetime

from ..client_error import ClientError
from ..generated.methods import Resources
from ..generated.models import Beneficiary, CreateMandateRequest, Mandate
from .settled import settled, shown


def allowance(
    resources: Resources,
    *,
    intent: str,
    payee: Beneficiary | str,
    per_payment: str,
    per_day: str | None,
    per_week: str | None,
    per_month: str | None,
    total: str,
    payments: int,
    until: datetime | str,
    timeout: float,
) -> Mandate:
    """Asks the owner for an allowance, or finds the one that this intent asked for, and waits until it is active."""
    monthly = per_month or total
    weekly = per_week or monthly
    body: CreateMandateRequest = {
        "beneficiary_id": payee if isinstance(payee, str) else payee["id"],
        "per_payment_max": per_payment,
        "daily_max": per_day or weekly,
        "weekly_max": weekly,
        "monthly_max": monthly,
        "total_cap": total,
        "payment_count": payments,
        "expires_at": until if isinstance(until, str) else _text_of(until),
    }
    mandate_id = settled(resources.mandates.create(body, intent=intent), timeout, "The allowance")
    return shown(lambda: resources.mandates.get(mandate_id))


def _text_of(until: datetime) -> str:
    if until.tzinfo is None:
        raise ClientError("invalid_use", "until has no time zone: give datetime(…, tzinfo=UTC), for example.")
    return until.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
