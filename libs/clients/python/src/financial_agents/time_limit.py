"""The time limit of a call. Its attempts, pauses and look-ups, and the calls of which a verb is made, end by it together."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

_ends_at: ContextVar[float] = ContextVar("financial_agents_ends_at", default=inf)


@contextmanager
def time_limit(timeout: float | None) -> Generator[None]:
    """Bounds the calls within it, in seconds, also by a limit around it. None and 0 set no limit."""
    limit = time.monotonic() + timeout if timeout else inf
    before = _ends_at.set(min(_ends_at.get(), limit))
    try:
        yield
    finally:
        _ends_at.reset(before)


@contextmanager
def without_limit() -> Generator[None]:
    """For functions of the application, whose calls are calls of their own."""
    before = _ends_at.set(inf)
    try:
        yield
    finally:
        _ends_at.reset(before)


def ends_at() -> float:
    """The end of the call that is under way, by `time.monotonic`; infinity if it has no limit."""
    return _ends_at.get()


def time_left() -> float:
    """The seconds that are left of the call that is under way."""
    return max(0.0, _ends_at.get() - time.monotonic())
