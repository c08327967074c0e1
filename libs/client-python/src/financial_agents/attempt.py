"""One attempt of a call, and what the attempt proves. Repetitions are decided by it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from .core import Core
from .http import NoAnswer, never_sent, retry_after_s
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
    """Sends the request once.

    Raises a ClientError that a repetition cannot resolve, or the error of a function of the application, such as its store, that is
    needed before anything can be sent.
    """
    try:
        response = send(core, request)
    except Unsent as error:
        return Lost(error, error.after_s, unsent=True)
    except NoAnswer as lost:
        return Lost(lost.error, None, unsent=never_sent(lost.error))
    if on_response is not None:
        on_response(response)
    try:
        body = response.json() if response.content else None
    except ValueError as error:
        # The request may have been carried out although the answer is not the API's.
        if response.is_success:
            return Lost(error, None, unsent=False)
        body = None
    if response.is_success:
        return Answered(body)
    problem = ApiProblem(response, body)
    after_s = retry_after_s(response)
    # A proxy in between answered. It cannot say if the API received the request.
    if not problem.from_api and response.status_code >= 500:
        return Lost(problem, after_s, unsent=False)
    return Refused(problem, after_s)
