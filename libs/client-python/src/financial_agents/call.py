"""Calls that take no idempotency key. A request is repeated only if a repetition has no second effect."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from .attempt import Answered, OnResponse, Refused, attempt
from .client_error import ClientError
from .core import Core
from .json_text import amount_text
from .problem import ApiProblem
from .repeat import Repetition, unreachable
from .transport import ApiRequest
from .uncertain import mark_uncertain


def call(
    core: Core,
    request: ApiRequest,
    retry_for: float | None = None,
    on_response: OnResponse | None = None,
    *,
    once: bool = False,
) -> Any:
    """Calls the API; returns the parsed body.

    Raises ApiProblem, or ClientError `unreachable`. Their `submission_uncertain` is true if an attempt may have been carried out.

    `once`: the request may not be repeated after an attempt without an answer.
    """
    repeat = Repetition(request, core.retry_for if retry_for is None else retry_for)
    uncertain = False
    try:
        while True:
            last = attempt(core, request, on_response)
            if isinstance(last, Answered):
                return last.body
            if isinstance(last, Refused):
                problem = last.problem
                may_repeat = problem.retryable and not problem.submission_uncertain
                if not (may_repeat and repeat.again(problem.code, last.after_s)):
                    raise problem
                continue
            uncertain = uncertain or (not last.unsent and request.method != "GET")
            lost = once and not last.unsent
            if lost or not repeat.again("unsent" if last.unsent else "unanswered", last.after_s):
                advice = "It may have been done: look before you call again." if lost else "Call again when it is back."
                raise unreachable(core, last, advice, uncertain)
    except (ApiProblem, ClientError) as error:
        if uncertain:
            mark_uncertain(error, "An earlier attempt may have been carried out: look before you call again.")
        raise


def concrete_path(template: str, parameters: Sequence[str], query: Mapping[str, object] | None = None) -> str:
    """The concrete path of a template, with a query. Members of the query that are None are left out."""
    head, *rest = template.split("{")
    path = head + "".join(
        quote(given, safe="") + part.partition("}")[2] for given, part in zip(parameters, rest, strict=True)
    )
    pairs = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def _text(value: object) -> str:
    if isinstance(value, Decimal):
        return amount_text(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
