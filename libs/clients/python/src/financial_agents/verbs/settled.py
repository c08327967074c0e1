"""The step from an operation to its resource, for verbs whose result is used by further calls."""

from typing import Any

from ..call_options import CallOptions
from ..caller import Caller
from ..client_error import ClientError
from ..generated.models import Operation
from ..outcome import Cancelled, Failed, Indeterminate, Outcome, Succeeded
from ..time_limit import time_left
from ..uncertain import uncertainly


class NotSettledError(ClientError):
    """A verb's write has not succeeded (yet)."""

    def __init__(self, subject: str, outcome: Outcome) -> None:
        is_over = isinstance(outcome, Failed | Cancelled)
        why = outcome.operation["failure_detail"] or outcome.operation["failure_code"]
        advice = "A new attempt needs a new intent." if is_over else "Call again with the same intent to go on waiting."
        super().__init__(
            "not_settled",
            f"{subject}: {outcome.status}{f' ({why})' if why else ''}. {advice}",
            submission_uncertain=isinstance(outcome, Indeterminate),
        )
        self.outcome = outcome
        """The state of the operation. Only `failed` and `cancelled` are final."""


async def settled(caller: Caller, operation: Operation, timeout: float | None, subject: str) -> str:
    """Waits for success; returns the resource's id. Raises NotSettledError."""
    outcome = await caller.wait(operation, timeout)
    if not isinstance(outcome, Succeeded):
        raise NotSettledError(subject, outcome)
    return outcome.resource_id


async def shown(caller: Caller, name: str, resource_id: str) -> Any:
    """Reads a resource until it is no longer pending. A resource shows the end of its operation a moment later.

    An error of the read is marked as uncertain: the write has succeeded.
    """
    pause_s = 0.05
    while True:
        with uncertainly("The write has succeeded: call again with the same intent."):
            resource = await caller.read(name, [resource_id], CallOptions())
        if resource["state"] != "pending":
            return resource
        await caller.core.driver.sleep(min(pause_s, time_left()))
        pause_s = min(1.0, pause_s * 2)
