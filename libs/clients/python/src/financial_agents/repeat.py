"""Repeats attempts within a time limit. The pauses grow, and are never shorter than the API's `Retry-After`."""

import random
import time
from collections.abc import Generator
from contextlib import contextmanager

from .attempt import Lost
from .client_error import ClientError
from .core import Core
from .oauth import Unsent
from .problem import ApiProblem
from .request_log import RepeatEntry, template_of
from .time_limit import ends_at
from .transport import ApiRequest


class Repetition:
    """Decides about repetitions of one call. Its time begins when it is made."""

    def __init__(self, core: Core, request: ApiRequest, retry_for: float | None) -> None:
        self._driver = core.driver
        self._hooks = core.hooks
        self._request = request
        self._ends_at = min(ends_at(), time.monotonic() + (core.retry_for if retry_for is None else retry_for))
        self._attempts = 0

    async def again(self, reason: str, after_s: float | None) -> bool:
        """Waits before the next attempt; False if there is no time left for it."""
        pause_s = max(backoff_s(self._attempts), after_s or 0)
        self._attempts += 1
        if time.monotonic() + pause_s > self._ends_at:
            return False
        method = self._request.method
        self._hooks.repeat(RepeatEntry(method, template_of(method, self._request.path), reason, pause_s))
        await self._driver.sleep(pause_s)
        return True


def backoff_s(attempt: int) -> float:
    """The pause before the repetition after `attempt` (from 0): exponential up to 5 s, half of it random."""
    return min(5.0, 0.2 * 2 ** min(attempt, 10)) * (0.5 + random.random() / 2)


def is_busy(problem: ApiProblem) -> bool:
    """True if something in between says that it is busy, or that the API is away."""
    return problem.status == 429 or problem.status >= 500


def unreachable(core: Core, last: Lost, advice: str, submission_uncertain: bool) -> ClientError:
    """The error of a call that got no answer.

    `advice`: how to go on. `submission_uncertain`: True if any attempt may have been carried out, not only the last one.
    """
    error = ClientError(
        "unreachable",
        f"{core.origin} did not answer ({str(last.error) or type(last.error).__name__}). {advice}",
        submission_uncertain=submission_uncertain,
    )
    error.__cause__ = last.error
    return error


@contextmanager
def reached(core: Core) -> Generator[None]:
    """For work that is not repeated. If no token could be obtained, the error is ClientError `unreachable`."""
    try:
        yield
    except Unsent as error:
        advice = "Call again when it is back."
        raise unreachable(core, Lost(error, None, unsent=True), advice, False) from error.cause
