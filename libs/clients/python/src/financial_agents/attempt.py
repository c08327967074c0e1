"""One attempt of a call, and what the attempt proves. Repetitions are decided by it."""

from dataclasses import dataclass
from typing import Any

from .core import Core
from .http import NoAnswer, never_sent, retry_after_s
from .oauth import Unsent
from .own_answer import is_promised, operation_of, parsed, problem_in
from .problem import ApiProblem
from .request_log import OnResponse
from .transport import ApiRequest, HookFailed, send


@dataclass(frozen=True)
class Answered:
    body: Any


@dataclass(frozen=True)
class Refused:
    """The API refused. `after_s`: when it may be asked again."""

    problem: ApiProblem
    after_s: float | None


@dataclass(frozen=True)
class Foreign:
    """Something in between answered, or the answer has been changed on its way. The request may have been carried out."""

    problem: ApiProblem
    after_s: float | None


@dataclass(frozen=True)
class Lost:
    """No answer came. Unless it is `unsent`, the request may have been carried out.

    `cut`: the answer began, and could not be read to its end.
    """

    error: Exception
    after_s: float | None
    unsent: bool
    cut: bool = False


@dataclass(frozen=True)
class Failed:
    """A hook of the application failed. The request may have been carried out."""

    error: Exception


Attempt = Answered | Refused | Foreign | Lost | Failed


async def attempt(core: Core, request: ApiRequest, on_response: OnResponse | None = None) -> Attempt:
    """Sends the request once. If it raises, nothing was sent that is still open.

    Raises a ClientError that a repetition cannot resolve, or the error of a function of the application, such as its store, that is
    needed before anything can be sent.
    """
    try:
        response = await send(core, request, on_response)
    except Unsent as error:
        return Lost(error, error.after_s, unsent=True)
    except HookFailed as failed:
        return Failed(failed.error)
    except NoAnswer as lost:
        return Lost(lost.error, None, unsent=never_sent(lost.error), cut=lost.cut)
    body = parsed(response)
    own = problem_in(response, body, core.origin)
    is_answer = is_promised(response, body, request.promised)
    # Other JSON can look like a resource. Problem details and operations cannot be mistaken.
    if own is not None or (is_answer and operation_of()(body)):
        core.http.learn_time(response)
    if is_answer:
        return Answered(body)
    problem = ApiProblem(response, own)
    after_s = retry_after_s(response, core.clock.now())
    return Foreign(problem, after_s) if own is None else Refused(problem, after_s)


def is_open(last: Attempt) -> bool:
    """True if the request may have been carried out, without a word of the API about it."""
    return isinstance(last, Foreign | Failed) or (isinstance(last, Lost) and not last.unsent)


def reason_of(last: Refused | Foreign | Lost) -> str:
    """The reason of a repetition, for logs: the code of a problem, or the end of the attempt."""
    if isinstance(last, Lost):
        return "unsent" if last.unsent else "unanswered"
    return last.problem.code
