"""The parts that all calls of one client share."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .auth.profile import Auth, AuthContext
from .client_error import ClientError
from .clock import Clock
from .dpop import DPoP
from .drive import Driver
from .http import Http
from .oauth import AuthorizationServer
from .owner import OnOwnerNeeded
from .request_log import Hooks
from .session import Session
from .store import AnyStore, Within


@dataclass
class Core:
    """The parts that all calls of one client share."""

    origin: str
    """The environment's origin."""
    scope: str
    """Names client and owner within the environment: the prefix of the store, and a part of every key."""
    driver: Driver
    http: Http
    clock: Clock
    dpop: DPoP
    session: Session
    store: Within
    """The store of this client and owner."""
    on_owner_needed: OnOwnerNeeded | None
    hooks: Hooks
    retry_for: float
    """The time for which a request that may be repeated is repeated, in seconds."""
    shown: dict[str, str] = field(default_factory=dict[str, str])
    """The approval pages that were shown, by operation."""


def create_core(
    base_url: str,
    client_id: str,
    auth: Auth,
    store: AnyStore,
    account: str,
    on_owner_needed: OnOwnerNeeded | None,
    driver: Driver,
    hooks: Hooks,
    retry_for: float,
) -> Core:
    """Makes the parts. Raises ClientError `invalid_use`."""
    origin = _origin_of(base_url)
    scope = f"{origin}/{client_id}/{account}/"
    clock = Clock()
    http = Http(driver, clock)
    own = Within(store, scope, driver)
    dpop = DPoP(own, clock)
    server = AuthorizationServer(http, dpop, clock, origin, client_id)
    session = Session(auth, own, AuthContext(server, clock, origin, on_owner_needed, driver))
    return Core(origin, scope, driver, http, clock, dpop, session, own, on_owner_needed, hooks, retry_for)


def _origin_of(base_url: str) -> str:
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    is_loopback = re.fullmatch(r"localhost|127\.\d+\.\d+\.\d+|::1", host) is not None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback)
    is_origin = parts.path in ("", "/") and not parts.query and not parts.fragment
    if "@" in parts.netloc:
        # The message does not repeat the credentials.
        raise ClientError(
            "invalid_use", f"base_url has credentials: give https://{host} alone. The client signs in by auth."
        )
    if not (host and is_safe and is_origin):
        raise ClientError(
            "invalid_use",
            f"base_url is {base_url}: give the API's origin alone, with https (http on loopback only).",
        )
    default_port = {"https": ":443", "http": ":80"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(default_port)}"
