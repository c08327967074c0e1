"""The one callback for everything that the owner has to do."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from inspect import isawaitable
from typing import Literal

from .client_error import ClientError
from .time_limit import without_limit


@dataclass(frozen=True, kw_only=True)
class OwnerNeeded:
    """Something that the owner has to do on a page."""

    kind: Literal["sign_in", "confirmation", "approval"]
    """Sign in and consent, confirm one request, or approve an operation at the provider."""
    url: str
    """The page to open, in the owner's browser."""
    code: str | None = None
    """The code that the owner enters on the page: sign-in only."""
    expires_at: datetime | None = None
    """Until when the page can be used; None if it is not known."""
    summary: str | None = None
    """The words that the owner will read; confirmations only. Plain text, several lines."""


OnOwnerNeeded = Callable[[OwnerNeeded], object]
"""Shows the page to the owner: prints it, sends it, opens it. The call goes on when it returns, and waits for the owner.

That of `AsyncFinancialAgents` may be a coroutine function.
"""


async def tell_owner(callback: OnOwnerNeeded | None, needed: OwnerNeeded) -> None:
    """Tells the application. Raises ClientError `owner_needed` if it has no callback."""
    if callback is None:
        code = f" and enter the code {needed.code}" if needed.code else ""
        raise ClientError(
            "owner_needed",
            f"The owner has to open {needed.url}{code}. Give the client on_owner_needed, and call again.",
        )
    with without_limit():
        answer = callback(needed)
        if isawaitable(answer):
            await answer
