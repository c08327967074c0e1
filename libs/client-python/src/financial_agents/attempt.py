"""One attempt of a call, and what the attempt proves. Repetitions are decided by it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from .client_error import ClientError
from .core import Core
from .http import never_sent, retry_after_s
from .oauth import Unsent
from .problem import ApiProblem
from .transport import ApiRequest, send

OnResponse = Callable[[httpx.Response], object]
"""Receives each response of the API, with its status, headers and body."""


@dataclass(frozen=True)
class Answered:
    body: Any


@dataclass(frozen=True)
class Refused:
    """The API refused. `after_s`: when it may be asked again."""

    problem: ApiProblem
    after_s: float | None


@dataclass(frozen=True)
class Lost:
    """No answer came. Unless it is `unsent`, the request may have been carried out."""

    error: Exception
    after_s: float | None
    unsent: bool


Attempt = Answered | Refused | Lost


def attempt(core: Core, request: ApiRequest, on_response: OnResponse | None = None) -> Attempt:
    """Sends the request once. Raises a ClientError that a repetition cannot resolve."""
    try:
        response = send(core, request)
    except Unsent as error:
        return Lost(error, error.after_s, unsent=True)
    except httpx.RequestError as error:
        return Lost(error, None, unsent=never_sent(error))
    if on_response is not None:
        on_response(response)
    if response.is_success:
        return Answered(_parsed(response) if response.content else None)
    try:
        body = response.json()
    except ValueError:
        body = None
    problem = ApiProblem(response, body)
    after_s = retry_after_s(response)
    # A proxy in between answered. It cannot say if the API received the request.
    if not problem.from_api and response.status_code >= 500:
        return Lost(problem, after_s, unsent=False)
    return Refused(problem, after_s)


def _parsed(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        # The request may have been carried out although the answer is not the API's.
        raise ClientError(
            "response_invalid",
            "The answer is not JSON. Does something between here and the API change it?",
            submission_uncertain=response.request.method != "GET",
        ) from error
