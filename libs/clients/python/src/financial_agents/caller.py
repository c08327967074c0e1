"""The calls of the generated methods. Each method passes the name of its row of the table, and its own arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from .call import call, concrete_path
from .call_options import CallOptions
from .client_error import ClientError
from .confirmation import confirmed_call
from .core import Core
from .generated.models import Operation
from .generated.table import table
from .http import NoAnswer
from .intent_record import Note, note_of
from .json_text import json_text
from .outcome import Outcome
from .own_answer import promised_of
from .page import Page
from .problem import ApiProblem
from .repeat import reached
from .request_log import row_for
from .row import Row, row_of
from .time_limit import time_limit
from .transport import ApiRequest, HookFailed, operation_read, send
from .waiting import wait, wait_failed
from .write import write


class Caller:
    """Makes the calls of one client."""

    def __init__(self, core: Core) -> None:
        self.core = core

    async def read(
        self,
        name: str,
        parameters: Sequence[str],
        options: CallOptions,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """Calls a method that takes no key; returns the parsed body."""
        row = row_of(table[name])
        request = _request(row, parameters, query, body)
        with time_limit(options.timeout):
            if row.confirm is not None:
                return await confirmed_call(self.core, row.confirm, request, options)
            return await call(self.core, request, options, once=row.once)

    async def page(
        self,
        name: str,
        parameters: Sequence[str],
        options: CallOptions,
        query: Mapping[str, object],
        cursor: str | None = None,
    ) -> Page[Any]:
        """Reads a page of a list."""
        asked = query if cursor is None else {**query, "cursor": cursor}
        answer = await self.read(name, parameters, options, query=asked)
        return Page(answer["items"], answer.get("next_cursor"))

    async def items(self, name: str, query: Mapping[str, object]) -> list[Any]:
        """Reads all items of a list."""
        page = await self.page(name, [], CallOptions(), query)
        items = page.items
        while page.next_cursor is not None:
            page = await self.page(name, [], CallOptions(), query, page.next_cursor)
            items += page.items
        return items

    async def write(
        self,
        name: str,
        parameters: Sequence[str],
        intent: str,
        options: CallOptions,
        *,
        body: Mapping[str, Any] | None = None,
    ) -> Operation:
        """Makes a durable write."""
        row = row_of(table[name])
        with time_limit(options.timeout):
            return await write(self.core, row, concrete_path(row.path, parameters), body, intent, options)

    async def write_to(self, path: str, body: Mapping[str, Any] | None, intent: str, options: CallOptions) -> Operation:
        """Makes a durable write to a path."""
        with time_limit(options.timeout):
            return await write(self.core, _row_for(path), path, body, intent, options)

    async def read_operation(self, operation_id: str, options: CallOptions) -> Operation:
        with time_limit(options.timeout):
            return await call(self.core, operation_read(operation_id), options)

    async def wait(self, operation: Operation, timeout: float | None) -> Outcome:
        """Waits for the outcome of an operation."""
        return await wait(self.core, operation, timeout)

    async def wait_for(self, operation_id: str, timeout: float | None) -> Outcome:
        """Reads an operation, and waits for its outcome."""
        with time_limit(timeout):
            try:
                operation = await self.read_operation(operation_id, CallOptions())
            except Exception as error:
                if isinstance(error, ApiProblem) and error.from_api and error.status == 404:
                    raise
                raise wait_failed(operation_id, error) from error
            return await wait(self.core, operation, timeout)

    async def fetch(
        self, path: str, method: str, headers: dict[str, str] | None, body: str | None, timeout: float | None
    ) -> httpx.Response:
        """Sends one request with token and proof."""
        if not path.startswith("/"):
            raise ClientError("invalid_use", "path begins with a slash: /v1/identity, for example.")
        try:
            with reached(self.core), time_limit(timeout):
                return await send(self.core, ApiRequest(method, path, headers or {}, body))
        except (NoAnswer, HookFailed) as failed:
            error = failed.error
        raise error

    async def metadata(self, operation_id: str) -> Note | None:
        return await self.core.store.get(note_of(operation_id))

    async def sign_in(self, timeout: float | None) -> list[str]:
        with reached(self.core), time_limit(timeout):
            return await self.core.session.sign_in()

    async def sign_out(self) -> None:
        await self.core.session.sign_out()


def _request(
    row: Row,
    parameters: Sequence[str],
    query: Mapping[str, object] | None,
    body: Mapping[str, Any] | None,
) -> ApiRequest:
    text = None if body is None else json_text(body)
    path = concrete_path(row.path, parameters, query)
    return ApiRequest(row.method, path, body=text, open=row.open, promised=promised_of(row, parameters))


def _row_for(path: str) -> Row:
    """The row of a path. If a method of the client has this path, the write is the same as that method's."""
    row = row_for("POST", path)
    return row if row is not None and row.keyed else Row("POST", path, keyed=True)
