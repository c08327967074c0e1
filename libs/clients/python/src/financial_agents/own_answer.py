"""Tells the API's own answers from those of anything between the client and the API, such as a load balancer or a captive portal.

Only the API's own answers prove something about a write.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import httpx

from .row import Row

Check = Callable[[object], bool]


def is_object(body: object) -> bool:
    """True for a JSON object."""
    return isinstance(body, dict)


@dataclass(frozen=True)
class Promised:
    """An answer that a request is promised."""

    status: int = 200
    check: Check = is_object


def has_type(response: httpx.Response, media_type: str) -> bool:
    """True if the answer has this media type."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower() == media_type


def parsed(response: httpx.Response) -> Any:
    """The parsed body; None if it is not JSON."""
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None


def problem_in(response: httpx.Response, body: object, origin: str) -> dict[str, Any] | None:
    """The API's problem details; None if the answer is somebody else's."""
    answer = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    code, status = answer.get("code"), answer.get("status")
    is_own = (
        has_type(response, "application/problem+json")
        and isinstance(code, str)
        and re.fullmatch(r"[a-z][a-z0-9_]*", code) is not None
        and answer.get("type") == f"{origin}/problems/{code}"
        and type(status) is int
        and status == response.status_code
        and status >= 400
        and isinstance(answer.get("detail"), str)
        and isinstance(answer.get("retryable"), bool)
    )
    return answer if is_own else None


def is_promised(response: httpx.Response, body: object, promised: Promised) -> bool:
    """True if the answer is the one that the request is promised."""
    if response.status_code != promised.status:
        return False
    if promised.status == 204:
        return response.content == b""
    return has_type(response, "application/json") and promised.check(body)


_TEXTS = ("id", "kind", "state", "created_at", "updated_at", "resource_id", "resource_type")
_TEXTS_OR_NONE = ("failure_code", "failure_detail", "next_reconcile_at", "upstream_reference")


def operation_of(kind: str | None = None, operation_id: str | None = None) -> Check:
    """The check for an operation, of this kind and with this id if they are given.

    A state that is not known yet is one all the same.
    """

    def check(body: object) -> bool:
        if not isinstance(body, dict):
            return False
        answer = cast("dict[str, Any]", body)
        return (
            all(isinstance(answer.get(name), str) and answer[name] != "" for name in _TEXTS)
            and all(name in answer and isinstance(answer[name], str | None) for name in _TEXTS_OR_NONE)
            and isinstance(answer.get("submission_uncertain"), bool)
            and kind in (None, answer["kind"])
            and operation_id in (None, answer["id"])
        )

    return check


def list_of(item: Check) -> Check:
    """The check for a list of such items."""

    def check(body: object) -> bool:
        items = cast("dict[str, Any]", body).get("items") if isinstance(body, dict) else None
        return isinstance(items, list) and all(map(item, cast("list[object]", items)))

    return check


def has_id(body: object) -> bool:
    """The check for an object that has an id."""
    return isinstance(body, dict) and isinstance(cast("dict[str, Any]", body).get("id"), str)


def promised_of(row: Row, parameters: Sequence[str] = ()) -> Promised:
    """The answer that the contract promises to a method with these parameters of its path."""
    if row.keyed:
        return Promised(202, operation_of(row.kind))
    if row.operation:
        return Promised(200, operation_of(operation_id=parameters[0]))
    if row.list:
        return Promised(200, list_of(lambda _: True))
    if row.method == "DELETE":
        return Promised(204)
    if row.method == "POST":
        return Promised(
            row.status, has_id if row.has is None else lambda body: isinstance(body, dict) and row.has in body
        )
    return Promised(200, has_id if row.path.endswith("}") else is_object)
