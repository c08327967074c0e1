"""The profile of a command line or a device (RFC 8628): the owner signs in elsewhere, and enters a code."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from ..client_error import ClientError
from ..http import NoAnswer
from ..oauth import OAuthRefusal, TokenAnswer
from ..owner import OwnerNeeded, tell_owner
from .profile import Auth, AuthContext

_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class _Device:
    def __init__(self, scopes: Sequence[str]) -> None:
        self._scopes = scopes

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        return {}

    def obtain(self, context: AuthContext) -> TokenAnswer:
        parameters = {"scope": " ".join(self._scopes), "resource": context.resource}
        started = context.server.post("device_authorization_endpoint", parameters)
        if not isinstance(started.get("device_code"), str) or not isinstance(started.get("expires_in"), int):
            raise ClientError("response_invalid", "There is no device code. Is base_url the origin of the API?")
        ends_at = context.clock.now() + started["expires_in"]
        tell_owner(
            context.on_owner_needed,
            OwnerNeeded(
                kind="sign_in",
                url=started["verification_uri"],
                code=started["user_code"],
                expires_at=datetime.fromtimestamp(ends_at, UTC),
            ),
        )
        redeemed = {"grant_type": _GRANT, "device_code": started["device_code"]}
        pause_s = started.get("interval", 5)
        while context.clock.now() < ends_at:
            time.sleep(pause_s)
            try:
                return context.server.tokens(lambda: redeemed)
            except NoAnswer:
                continue
            except OAuthRefusal as refusal:
                if refusal.result == "slow_down":
                    pause_s += 5
                elif refusal.result not in (None, "authorization_pending"):
                    raise
        raise ClientError("sign_in_declined", "The code was not used in time. Call agent.sign_in() for a new one.")


def device(*, scopes: Sequence[str]) -> Auth:
    """A device client. Its `on_owner_needed` gets the address and the code."""
    return _Device(scopes)
