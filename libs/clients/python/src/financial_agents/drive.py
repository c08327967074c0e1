"""The I/O of a client: it blocks, or it awaits.

Everything else is written once, as coroutines. Those of a blocking client never wait for an event loop: `run` runs one to its end.
"""

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from math import isinf
from typing import Any, Protocol, TypeVar, cast

import httpx

from .client_error import ClientError
from .time_limit import time_left

Result = TypeVar("Result")
Lock = AbstractAsyncContextManager[None]


class Driver(Protocol):
    """The I/O of one client."""

    def build_request(self, method: str, url: str, headers: dict[str, str], body: str | None) -> httpx.Request: ...
    async def open(self, request: httpx.Request) -> httpx.Response:
        """Sends; the body of the answer is not read yet."""
        ...

    async def read(self, response: httpx.Response) -> None: ...
    async def close(self, response: httpx.Response) -> None: ...
    async def sleep(self, seconds: float) -> None: ...
    async def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Calls a function of a store, which may block."""
        ...

    def lock(self) -> Lock:
        """A lock that is waited for as long as the call may take. Raises TimeoutError."""
        ...


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine of a blocking client."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast("Result", done.value)
    work.close()
    raise ClientError("invalid_use", "A function of this client awaits: use AsyncFinancialAgents.")


class Blocking:
    """I/O that blocks the thread."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def build_request(self, method: str, url: str, headers: dict[str, str], body: str | None) -> httpx.Request:
        return self._client.build_request(method, url, headers=headers, content=body)

    async def open(self, request: httpx.Request) -> httpx.Response:
        return self._client.send(request, stream=True, follow_redirects=False)

    async def read(self, response: httpx.Response) -> None:
        response.read()

    async def close(self, response: httpx.Response) -> None:
        response.close()

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        return function(*given, **named)

    def lock(self) -> Lock:
        return _ThreadLock()


class _ThreadLock(AbstractAsyncContextManager[None]):
    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        if not self._lock.acquire(timeout=min(time_left(), threading.TIMEOUT_MAX)):
            raise TimeoutError("another thread was still busy")

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class Awaiting:
    """I/O that awaits, with asyncio."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    def build_request(self, method: str, url: str, headers: dict[str, str], body: str | None) -> httpx.Request:
        return self._client.build_request(method, url, headers=headers, content=body)

    async def open(self, request: httpx.Request) -> httpx.Response:
        return await self._client.send(request, stream=True, follow_redirects=False)

    async def read(self, response: httpx.Response) -> None:
        await response.aread()

    async def close(self, response: httpx.Response) -> None:
        await response.aclose()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        if inspect.iscoroutinefunction(function):
            return await function(*given, **named)
        # A store of files waits for the disk.
        return await asyncio.to_thread(function, *given, **named)

    def lock(self) -> Lock:
        return _TaskLock()


class _TaskLock(AbstractAsyncContextManager[None]):
    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        left_s = time_left()
        async with asyncio.timeout(None if isinf(left_s) else left_s):
            await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
