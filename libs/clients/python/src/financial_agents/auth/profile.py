"""The profiles of clients (contract, "Client profiles"): how each authenticates, and how it obtains tokens."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from ..clock import Clock
from ..drive import Driver
from ..oauth import AuthorizationServer, TokenAnswer
from ..owner import OnOwnerNeeded


@dataclass(frozen=True)
class AuthContext:
    """The parts that a profile works with."""

    server: AuthorizationServer
    clock: Clock
    resource: str
    """The resource identifier: the environment's origin."""
    on_owner_needed: OnOwnerNeeded | None
    driver: Driver
    pending: dict[str, Any] = field(default_factory=dict[str, Any])
    """The sign-in that is under way, if its call ended before the owner had signed in."""


class Auth(Protocol):
    """A client profile, as `device` and `service` return it."""

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        """The parameters of the client's authentication at the token endpoint."""
        ...

    async def obtain(self, context: AuthContext) -> TokenAnswer:
        """Obtains tokens."""
        ...
