"""The profile of a command line or a device (RFC 8628): the owner signs in elsewhere, and enters a code."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ..client_error import ClientError
from ..generated.models import KnownScope
from ..http import NoAnswer
from ..oauth import OAuthRefusal, TokenAnswer
from ..owner import OwnerNeeded, tell_owner
from ..time_limit import time_left
from .profile import Auth, AuthContext

_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class _Device:
    def __init__(self, scopes: Sequence[KnownScope]) -> None:
        self._scopes = scopes

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        return {}

    async def obtain(self, context: AuthContext) -> TokenAnswer:
        pending = context.pending
        if context.clock.now() >= pending.get("ends_at", 0):
            pending.update(await self._begin(context))
        redeemed = {"grant_type": _GRANT, "device_code": pending["device_code"]}
        while context.clock.now() < pending["ends_at"]:
            if time_left() <= pending["pause_s"]:
                raise ClientError("sign_in_needed", "The owner has not signed in yet. Call again: it goes on waiting.")
            await context.driver.sleep(pending["pause_s"])
            try:
                answer = await context.server.tokens(lambda: redeemed)
            except NoAnswer:
                continue
            except OAuthRefusal as refusal:
                if refusal.result == "slow_down":
                    pending["pause_s"] += 5
                elif refusal.result not in (None, "authorization_pending"):
                    pending.clear()
                    raise
            else:
                pending.clear()
                return answer
        raise ClientError("sign_in_declined", "The code was not used in time. Call agent.sign_in() for a new one.")

    async def _begin(self, context: AuthContext) -> dict[str, Any]:
        parameters = {"scope": " ".join(self._scopes), "resource": context.resource}
        started = await context.server.post("device_authorization_endpoint", parameters)
        if not isinstance(started.get("device_code"), str) or not isinstance(started.get("expires_in"), int):
            raise ClientError("response_invalid", "There is no device code. Is base_url the origin of the API?")
        ends_at = context.clock.now() + started["expires_in"]
        needed = OwnerNeeded(
            kind="sign_in",
            url=started["verification_uri"],
            code=started["user_code"],
            expires_at=datetime.fromtimestamp(ends_at, UTC),
        )
        await tell_owner(context.on_owner_needed, needed)
        return {"device_code": started["device_code"], "pause_s": started.get("interval", 5), "ends_at": ends_at}


def device(*, scopes: Sequence[KnownScope]) -> Auth:
    """A device client. Its `on_owner_needed` gets the address and the code."""
    return _Device(scopes)
