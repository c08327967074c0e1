"""The calls of the generated methods. Each method passes the name of its row of the table, and its own arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from .attempt import OnResponse
from .call import call, concrete_path
from .confirmation import confirmed_call
from .core import Core
from .generated.table import table
from .json_text import json_text
from .own_answer import promised_of
from .pages import Pages
from .row import Row, row_of
from .tracked_operation import TrackedOperation
from .transport import ApiRequest
from .write import write


class Caller:
    """Makes the calls of the generated methods."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def read(
        self,
        name: str,
        parameters: Sequence[str],
        retry_for: float | None,
        on_response: OnResponse | None,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a method that takes no key; returns the parsed body."""
        row = row_of(table[name])
        request = _request(row, parameters, query, body)
        if row.confirm is not None:
            return confirmed_call(self._core, row.confirm, request, retry_for, on_response)
        return call(self._core, request, retry_for, on_response, once=row.once)

    def operation(
        self, name: str, parameters: Sequence[str], retry_for: float | None, on_response: OnResponse | None
    ) -> TrackedOperation:
        """Calls a method whose answer is an operation."""
        return TrackedOperation(self._core, self.read(name, parameters, retry_for, on_response))

    def pages(
        self,
        name: str,
        parameters: Sequence[str],
        retry_for: float | None,
        on_response: OnResponse | None,
        query: Mapping[str, object],
    ) -> Pages[Any]:
        """The list of a method. Nothing is read yet."""

        def read(cursor: str | None) -> Any:
            asked = query if cursor is None else {**query, "cursor": cursor}
            return self.read(name, parameters, retry_for, on_response, query=asked)

        return Pages(read)

    def write(
        self,
        name: str,
        parameters: Sequence[str],
        intent: str,
        retry_for: float | None,
        on_response: OnResponse | None,
        body: Mapping[str, Any] | None = None,
    ) -> TrackedOperation:
        """Makes a durable write."""
        row = row_of(table[name])
        path = concrete_path(row.path, parameters)
        return TrackedOperation(self._core, write(self._core, row, path, body, intent, retry_for, on_response))


def _request(
    row: Row,
    parameters: Sequence[str],
    query: Mapping[str, object] | None,
    body: Mapping[str, Any] | None,
) -> ApiRequest:
    text = None if body is None else json_text(body)
    path = concrete_path(row.path, parameters, query)
    return ApiRequest(row.method, path, body=text, open=row.open, promised=promised_of(row, parameters))
