"""Calls that take no idempotency key. A request is repeated only if a repetition has no second effect."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from .attempt import Answered, Failed, Foreign, Lost, Refused, attempt, is_open, reason_of
from .call_options import CallOptions
from .core import Core
from .json_text import amount_text
from .repeat import Repetition, is_busy, unreachable
from .transport import ApiRequest
from .uncertain import raise_uncertain


async def call(core: Core, request: ApiRequest, options: CallOptions, *, once: bool = False) -> Any:
    """Calls the API; returns the parsed body.

    Raises ApiProblem, or ClientError `unreachable`. Their `submission_uncertain` is true if an attempt may have been carried out.

    `once`: the request may not be repeated after an attempt that may have been carried out.
    """
    repeat = Repetition(core, request, options.retry_for)
    uncertain = False
    try:
        while True:
            last = await attempt(core, request, options.on_response)
            if isinstance(last, Answered):
                return last.body
            uncertain = uncertain or (is_open(last) and request.method != "GET")
            if isinstance(last, Failed):
                raise last.error
            lost = once and is_open(last)
            if not lost and _may_repeat(last) and await repeat.again(reason_of(last), last.after_s):
                continue
            if not isinstance(last, Lost):
                raise last.problem
            advice = "It may have been done: look before you call again." if lost else "Call again when it is back."
            raise unreachable(core, last, advice, uncertain)
    except Exception as error:
        if not uncertain:
            raise
        raise_uncertain(error, "An earlier attempt may have been carried out: look before you call again.")


def _may_repeat(last: Refused | Foreign | Lost) -> bool:
    """True if the same request may succeed later, and a repetition has no second effect."""
    if isinstance(last, Refused):
        return last.problem.retryable and not last.problem.submission_uncertain
    return isinstance(last, Lost) or is_busy(last.problem)


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
