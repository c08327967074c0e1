"""The options of every call."""

from collections.abc import Mapping
from dataclasses import dataclass

from .request_log import OnResponse


@dataclass(frozen=True)
class CallOptions:
    """The options of a call, as the methods of the client name them."""

    timeout: float | None = None
    """The longest time of the whole call, in seconds. 0 sets no limit, and waits neither for the owner nor for an outcome."""
    retry_for: float | None = None
    """The time for which a request that may be repeated is repeated, in seconds; the client's own if None."""
    on_response: OnResponse | None = None
    """Receives each answer to this call, beside the client's own hook."""
    metadata: Mapping[str, str] | None = None
    """Facts of the application about a write. They stay in the store."""

    def quiet(self) -> "CallOptions":
        """The options of a look-up within the call."""
        return CallOptions(self.timeout, self.retry_for)
