"""The outcomes of waiting for an operation. Only `succeeded`, `failed` and `cancelled` are final."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .generated.models import ActionRequired, FailureCode, Operation


@dataclass(frozen=True)
class Succeeded:
    operation: Operation
    resource_id: str
    status: Literal["succeeded"] = "succeeded"


@dataclass(frozen=True)
class Failed:
    operation: Operation
    code: FailureCode | None
    detail: str | None
    status: Literal["failed"] = "failed"


@dataclass(frozen=True)
class Cancelled:
    operation: Operation
    code: FailureCode | None
    status: Literal["cancelled"] = "cancelled"


@dataclass(frozen=True)
class NeedsOwner:
    operation: Operation
    action: ActionRequired | None
    """The page that the owner must open; None while it is being prepared."""
    status: Literal["needs_owner"] = "needs_owner"


@dataclass(frozen=True)
class Indeterminate:
    """The provider may have executed the write. It is neither success nor failure.

    Wait again later, and never start the same write with a new intent.
    """

    operation: Operation
    next_reconcile_at: datetime | None
    """The time at which the provider is asked again; None if it is not known."""
    status: Literal["indeterminate"] = "indeterminate"


@dataclass(frozen=True)
class StillRunning:
    operation: Operation
    status: Literal["still_running"] = "still_running"


Outcome = Succeeded | Failed | Cancelled | NeedsOwner | Indeterminate | StillRunning
"""The state of an operation as a caller has to handle it.

Use `match`, or compare `status`: the type checker then asks for each of the six.
"""


def outcome_of(operation: Operation) -> Outcome:
    """Returns the outcome that the operation shows now."""
    match operation["state"]:
        case "succeeded":
            return Succeeded(operation, operation["resource_id"])
        case "failed":
            return Failed(operation, operation["failure_code"], operation["failure_detail"])
        case "cancelled":
            return Cancelled(operation, operation["failure_code"])
        case "requires_action":
            return NeedsOwner(operation, operation.get("action_required"))
        case "indeterminate":
            return Indeterminate(operation, time_of(operation["next_reconcile_at"]))
        case _:
            return StillRunning(operation)


def is_final(operation: Operation) -> bool:
    """True if the operation will not change any more."""
    return operation["state"] in ("succeeded", "failed", "cancelled")


def time_of(text: str | None) -> datetime | None:
    """A time of the API (RFC 3339)."""
    return None if text is None else datetime.fromisoformat(text)
