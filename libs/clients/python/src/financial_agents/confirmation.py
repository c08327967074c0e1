"""The owner's confirmation of one request (contract, "Confirmation-Intent-ID").

The client names the request as it will send it, tells the application where the owner decides, and waits for the decision.
"""

import json
from dataclasses import replace
from typing import Any, cast
from urllib.parse import quote

from .call import call
from .call_options import CallOptions
from .client_error import ClientError
from .core import Core
from .generated.models import ConfirmationIntent
from .outcome import time_of
from .own_answer import Promised, has_id
from .owner import OwnerNeeded, tell_owner
from .time_limit import time_left
from .transport import ApiRequest


async def ask_to_confirm(
    core: Core, action: str, path: str, body: str | None, options: CallOptions
) -> ConfirmationIntent:
    """Asks for a confirmation of this request; returns it undecided."""
    request = {"path": path} if body is None else {"path": path, "body": json.loads(body)}
    described = json.dumps({"action": action, "request": request})
    asked = ApiRequest("POST", "/v1/confirmation-intents", body=described, promised=Promised(201, has_id))
    return await call(core, asked, options.quiet())


async def decided(core: Core, intent_id: str, options: CallOptions) -> ConfirmationIntent:
    """Shows the confirmation to the owner, and waits until it is no longer pending. The confirmation itself expires after ten minutes.

    Raises ClientError `owner_needed` if the time of the call is over.
    """
    is_shown = False
    while True:
        path = f"/v1/confirmation-intents/{quote(intent_id, safe='')}"
        request = ApiRequest("GET", path, promised=Promised(200, _has_status))
        intent: ConfirmationIntent = await call(core, request, options.quiet())
        if intent["status"] != "pending":
            return intent
        if not is_shown:
            is_shown = True
            await tell_owner(
                core.on_owner_needed,
                OwnerNeeded(
                    kind="confirmation",
                    url=intent["confirmation_url"],
                    expires_at=time_of(intent["expires_at"]),
                    summary=intent["summary"],
                ),
            )
        pause_s = (intent.get("poll_after_ms") or 2_000) / 1_000
        if options.timeout == 0 or time_left() <= pause_s:
            raise ClientError(
                "owner_needed", f"The owner has not decided yet: {intent['confirmation_url']}. Call again, to go on."
            )
        await core.driver.sleep(pause_s)


def _has_status(body: object) -> bool:
    return has_id(body) and isinstance(cast("dict[str, Any]", body).get("status"), str)


async def confirmed_call(core: Core, action: str, request: ApiRequest, options: CallOptions) -> object:
    """Makes a call that needs a confirmation and takes no key.

    The call may be repeated: the same confirmation has no second effect.

    Raises ApiProblem `confirmation_declined` if the owner declines.
    """
    asked = await ask_to_confirm(core, action, request.path, request.body, options)
    await decided(core, asked["id"], options)
    headers = {**request.headers, "Confirmation-Intent-ID": asked["id"]}
    return await call(core, replace(request, headers=headers), options)
