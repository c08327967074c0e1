"""The profile of a service account: client credentials, `private_key_jwt`, one fixed owner. Nobody signs in."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..client_error import ClientError
from ..dpop import es256_key
from ..generated.models import KnownScope
from ..oauth import TokenAnswer
from .profile import Auth, AuthContext


class _Service:
    def __init__(self, key: Mapping[str, Any], scopes: Sequence[KnownScope]) -> None:
        try:
            self._key = es256_key(key)
        except Exception as error:
            # The message does not quote the key.
            raise ClientError("invalid_use", "key is not a private JWK on the curve P-256 (ES256).") from error
        self._kid: str | None = key.get("kid")
        self._scopes = scopes

    def authenticate(self, context: AuthContext) -> dict[str, str]:
        return context.server.assertion(self._key, self._kid)

    async def obtain(self, context: AuthContext) -> TokenAnswer:
        parameters = {
            "grant_type": "client_credentials",
            "scope": " ".join(self._scopes),
            "resource": context.resource,
        }
        return await context.server.tokens(lambda: parameters | self.authenticate(context))


def service(*, key: Mapping[str, Any], scopes: Sequence[KnownScope]) -> Auth:
    """A service account.

    `key`: the private JWK (ES256) whose public part is registered. `scopes`: the scopes to ask for, within those that are registered.
    """
    return _Service(key, scopes)
