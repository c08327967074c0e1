"""The server's time, learnt from `Date` headers.

Proofs and client assertions carry it, so that they are accepted although this machine's clock is wrong.
"""

import time
from email.utils import parsedate_to_datetime

# Smaller differences come from the rounding of `Date` and from delay.
_TOLERANCE_S = 2.5


class Clock:
    """The time of the server. Trusts this machine until it has seen a response."""

    def __init__(self) -> None:
        self.skew_s = 0.0
        """The difference to this machine's clock, in seconds; positive if this machine is behind."""

    def now(self) -> float:
        """The time now, in seconds since 1970."""
        return time.time() + self.skew_s

    def learn(self, date: str | None, sent_at: float, received_at: float) -> bool:
        """Learns from the `Date` of a response that was asked for at `sent_at`, and came at `received_at`.

        True if the known difference changed.
        """
        try:
            date_s = parsedate_to_datetime(date or "").timestamp()
        except ValueError:
            return False
        # The header has whole seconds, and was written between sending and receiving.
        seen = date_s + 0.5 - (sent_at + received_at) / 2
        if abs(seen - self.skew_s) < _TOLERANCE_S:
            return False
        self.skew_s = 0.0 if abs(seen) < _TOLERANCE_S else seen
        return True
