"""A log of the requests to the API, by hooks and by the logger `financial_agents`.

An entry names a route by its template, without identifiers. No entry has a token, a key or a body.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .generated.table import table
from .row import Row, row_of

_log = logging.getLogger("financial_agents")


@dataclass(frozen=True)
class RequestEntry:
    """A request of the API: one attempt of a call."""

    method: str
    path: str
    """The template of the route: `/v1/operations/{id}`."""


@dataclass(frozen=True)
class ResponseEntry(RequestEntry):
    """An answer, of the API or of something in between."""

    status: int
    request_id: str | None
    """`X-Request-Id`: name it to support."""
    ms: float
    """The time since the request, in milliseconds."""
    headers: httpx.Headers


@dataclass(frozen=True)
class RepeatEntry(RequestEntry):
    """A repetition that is to come."""

    reason: str
    """The code of a problem, or `unsent` or `unanswered`."""
    after: float
    """The pause before it, in seconds."""


OnRequest = Callable[[RequestEntry], object]
OnResponse = Callable[[ResponseEntry], object]
OnRepeat = Callable[[RepeatEntry], object]


@dataclass(frozen=True)
class Hooks:
    """The hooks. One that raises before the request ends the call; after it, the outcome of a write is not known."""

    on_request: OnRequest | None = None
    on_response: OnResponse | None = None
    on_repeat: OnRepeat | None = None

    def request(self, entry: RequestEntry) -> None:
        if self.on_request is not None:
            self.on_request(entry)

    def response(self, entry: ResponseEntry) -> None:
        _log.debug(
            "%s %s answered %d in %d ms, request %s", entry.method, entry.path, entry.status, entry.ms, entry.request_id
        )
        if self.on_response is not None:
            self.on_response(entry)

    def repeat(self, entry: RepeatEntry) -> None:
        _log.info("%s %s: %s, repeating in %.1f s", entry.method, entry.path, entry.reason, entry.after)
        if self.on_repeat is not None:
            self.on_repeat(entry)


def template_of(method: str, path: str) -> str:
    """The path as the log names it. A path that no method of the client has stays as it is."""
    concrete = path.partition("?")[0]
    row = row_for(method, concrete)
    return concrete if row is None else row.path


def row_for(method: str, path: str) -> Row | None:
    """The method of the client with this path."""
    fitting = [
        row
        for row in map(row_of, table.values())
        if row.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", row.path), path)
    ]
    return next((row for row in fitting if row.path == path), fitting[0] if fitting else None)
