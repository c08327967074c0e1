"""The owner's confirmation of one request (contract, "Confirmation-Intent-ID").

The client names the request as it will send it, tells the application where the owner decides, and waits for the decision.
"""

import json
import time
from dataclasses import replace
from typing import Any, cast
from urllib.parse import quote

from .attempt import OnResponse
from .call import call
from .core import Core
from .generated.models import ConfirmationIntent
from .outcome import time_of
from .own_answer import Promised, has_id
from .owner import OwnerNeeded, tell_owner
from .transport import ApiRequest


def ask_to_confirm(core: Core, action: str, path: str, body: str | None, retry_for: float | None) -> ConfirmationIntent:
    """Asks for a confirmation of this request; returns it undecided."""
    request = {"path": path} if body is None else {"path": path, "body": json.loads(body)}
    described = json.dumps({"action": action, "request": request})
    asked = ApiRequest("POST", "/v1/confirmation-intents", body=described, promised=Promised(201, has_id))
    return call(core, asked, retry_for)


def decided(core: Core, intent_id: str, retry_for: float | None) -> ConfirmationIntent:
    """Shows the confirmation to the owner, and waits without a limit until it is no longer pending.

    The intent itself expires after ten minutes.
    """
    is_shown = False
    while True:
        path = f"/v1/confirmation-intents/{quote(intent_id, safe='')}"
        intent: ConfirmationIntent = call(core, ApiRequest("GET", path, promised=Promised(200, _has_status)), retry_for)
        if intent["status"] != "pending":
            return intent
        if not is_shown:
            is_shown = True
            tell_owner(
                core.on_owner_needed,
                OwnerNeeded(
                    kind="confirmation",
                    url=intent["confirmation_url"],
                    expires_at=time_of(intent["expires_at"]),
                    summary=intent["summary"],
                ),
            )
        time.sleep((intent.get("poll_after_ms") or 2_000) / 1_000)


def _has_status(body: object) -> bool:
    return has_id(body) and isinstance(cast("dict[str, Any]", body).get("status"), str)


def confirmed_call(
    core: Core, action: str, request: ApiRequest, retry_for: float | None, on_response: OnResponse | None
) -> object:
    """Makes a call that needs a confirmation and takes no key.

    The call may be repeated: the same confirmation has no second effect.

    Raises ApiProblem `confirmation_declined` if the owner declines.
    """
    asked = ask_to_confirm(core, action, request.path, request.body, retry_for)
    decided(core, asked["id"], retry_for)
    headers = {**request.headers, "Confirmation-Intent-ID": asked["id"]}
    return call(core, replace(request, headers=headers), retry_for, on_response)
