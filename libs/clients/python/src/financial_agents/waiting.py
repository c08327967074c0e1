"""Waits for one operation.

The operation is read only when it can have changed. Each approval page is shown to the owner once.
"""

import time
from dataclasses import replace
from datetime import datetime

from .attempt import Answered, Failed, Refused, attempt
from .client_error import ClientError
from .core import Core
from .generated.models import Operation
from .outcome import Outcome, is_final, outcome_of, time_of
from .owner import OwnerNeeded, tell_owner
from .problem import ApiProblem
from .time_limit import time_left, time_limit
from .transport import ApiRequest, operation_read

_FIRST_PAUSE_S = 0.15
_LONGEST_PAUSE_S = 3.0
_LONGEST_RECONCILE_S = 60.0
_USUAL_LIMIT_S = 60.0


async def wait(core: Core, operation: Operation, timeout: float | None) -> Outcome:
    """Waits for the outcome, at most `timeout` seconds (60). After that the outcome says how things stand.

    Raises ClientError `wait_failed`, whatever the error is: the operation exists, and goes on.
    """
    limit_s = _USUAL_LIMIT_S if timeout is None else timeout
    try:
        with time_limit(limit_s):
            return await _waited(core, operation, min(time_left(), limit_s))
    except Exception as error:
        raise wait_failed(operation["id"], error) from error


def wait_failed(operation_id: str, cause: Exception) -> ClientError:
    """The error that ends a wait for this operation."""
    return ClientError(
        "wait_failed",
        f"The wait for the operation {operation_id} ended by an error ({cause}). The operation goes on: wait again with agent.wait, or "
        "read it with agent.operations.get.",
        submission_uncertain=True,
    )


async def _waited(core: Core, operation: Operation, limit_s: float) -> Outcome:
    ends_at = time.monotonic() + limit_s
    pause_s = _FIRST_PAUSE_S
    quiet = 0
    while not is_final(operation) and not await _waits_for_others(core, operation):
        left_s = ends_at - time.monotonic()
        if left_s <= 0:
            break
        await core.driver.sleep(min(pause_s, left_s))
        if pause_s > left_s:
            break
        last = await attempt(core, _request(operation))
        if isinstance(last, Answered):
            read: Operation = last.body
            quiet = quiet + 1 if read["updated_at"] == operation["updated_at"] else 0
            operation = read
            pause_s = _pause_s(core, operation, quiet)
        elif isinstance(last, Refused) and not _is_passing(last.problem):
            raise last.problem
        elif not isinstance(last, Failed):
            # A lost answer, or a failure of the API, does not end the waiting.
            quiet += 1
            pause_s = max(last.after_s or 0, _growing(2, quiet))
    if is_final(operation):
        core.shown.pop(operation["id"], None)
    return outcome_of(operation)


def _is_passing(problem: ApiProblem) -> bool:
    """True if a later read can succeed: the API is busy or has failed."""
    return problem.retryable or problem.status >= 500


def _request(operation: Operation) -> ApiRequest:
    read = operation_read(operation["id"])
    if operation["state"] == "requires_action":
        return replace(read, method="POST", path=f"{read.path}/approval/poll")
    return read


def _pause_s(core: Core, operation: Operation, quiet: int) -> float:
    action = operation.get("action_required")
    poll_after_ms = action.get("poll_after_ms") if action else None
    if poll_after_ms:
        return poll_after_ms / 1_000
    growing = _growing(1.5, quiet)
    next_at = time_of(operation["next_reconcile_at"])
    if next_at is None:
        return growing
    # The provider is not asked before this time, so an earlier read shows nothing new.
    until_s = _seconds_of(next_at) - core.clock.now() + _FIRST_PAUSE_S
    return growing if until_s < 0 else min(until_s, _LONGEST_RECONCILE_S)


def _growing(factor: float, quiet: int) -> float:
    """The pause after this number of reads without a change. The exponent is bounded, because a float is."""
    return min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * factor ** min(quiet, 20))


def _seconds_of(moment: datetime) -> float:
    return moment.timestamp()


async def _waits_for_others(core: Core, operation: Operation) -> bool:
    """Shows each approval page once. True if there is no callback: the outcome `needs_owner` then ends the wait."""
    action = operation.get("action_required")
    if operation["state"] != "requires_action" or not action:
        return False
    if core.on_owner_needed is None:
        return True
    if core.shown.get(operation["id"]) != action["url"]:
        core.shown[operation["id"]] = action["url"]
        needed = OwnerNeeded(kind="approval", url=action["url"], expires_at=time_of(action["expires_at"]))
        try:
            await tell_owner(core.on_owner_needed, needed)
        except BaseException:
            del core.shown[operation["id"]]
            raise
    return False
