"""The options of every call."""

from collections.abc import Callable
from dataclasses import dataclass

import httpx

OnResponse = Callable[[httpx.Response], object]
"""Receives each response of the API, with its status, headers and body."""


@dataclass(frozen=True)
class CallOptions:
    """The options of a call, as the methods of the client name them."""

    timeout: float | None = None
    """The longest time of the whole call, in seconds. 0 sets no limit, and waits neither for the owner nor for an outcome."""
    retry_for: float | None = None
    """The time for which a request that may be repeated is repeated, in seconds; the client's own if None."""
    on_response: OnResponse | None = None

    def quiet(self) -> "CallOptions":
        """The options of a look-up within the call."""
        return CallOptions(self.timeout, self.retry_for)
