"""The profiles of clients (contract, "Client profiles"): how each authenticates, and how it obtains tokens."""

from dataclasses import dataclass
from typing import Protocol

from ..clock import Clock
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


class Auth(Protocol):
    """A client profile, as `device` and `service` return it."""

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        """The parameters of the client's authentication at the token endpoint."""
        ...

    def obtain(self, context: AuthContext) -> TokenAnswer:
        """Obtains tokens."""
        ...
