"""Every request of the client. The client learns the server's time from the API's own answers."""

import time
from collections.abc import AsyncIterator, Iterator
from email.utils import parsedate_to_datetime
from math import isinf
from typing import Any

import httpx

from .clock import Clock
from .drive import Driver
from .time_limit import time_left

# The times of this machine at which a request was sent, and its answer had come.
_TIMES = "financial_agents.times"


class _Limited(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that ends at a time. The time-outs of httpx bound each silence alone, so a body that drips would never end."""

    def __init__(self, stream: Any, ends_at: float, request: httpx.Request) -> None:
        self._stream = stream
        self._ends_at = ends_at
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            yield self._in_time(part)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield self._in_time(part)

    def _in_time(self, part: bytes) -> bytes:
        if time.monotonic() > self._ends_at:
            raise httpx.ReadTimeout("the answer did not end in time", request=self._request)
        return part

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()


class _TimeLeft(dict[str, Any]):
    """The time-outs of a request. httpx asks for one at each step: it is never longer than the time that is left of the call."""

    def get(self, key: str, default: Any = None) -> Any:
        own, left_s = super().get(key, default), time_left()
        return own if isinf(left_s) else left_s if own is None else min(own, left_s)


class NoAnswer(Exception):
    """A request got no answer. The errors of the application's own functions, such as its store, are never this one."""

    def __init__(self, error: Exception, *, cut: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.cut = cut
        """The answer began, and could not be read to its end."""


class Http:
    """Sends requests over the connections of one client of httpx. It follows no redirects, so a token reaches only the API."""

    def __init__(self, driver: Driver, clock: Clock) -> None:
        self._driver = driver
        self._clock = clock

    async def send(self, method: str, url: str, headers: dict[str, str], body: str | None = None) -> httpx.Response:
        """Sends once. Raises NoAnswer."""
        sent_at = time.time()
        try:
            response = await self._send(self._driver.build_request(method, url, headers, body))
        except NoAnswer:
            raise
        except Exception as error:
            # A hook of the application's own `httpx.Client` fails after the request was sent.
            raise NoAnswer(error) from error
        response.extensions[_TIMES] = (sent_at, time.time())
        return response

    async def _send(self, request: httpx.Request) -> httpx.Response:
        limits = _TimeLeft(request.extensions["timeout"])
        request.extensions["timeout"] = limits
        limit_s: float | None = limits.get("read")
        if limit_s == 0:
            raise httpx.ConnectTimeout("no time is left", request=request)
        started = time.monotonic()
        response = await self._driver.open(request)
        try:
            if limit_s is not None:
                response.stream = _Limited(response.stream, started + limit_s, request)
            await self._driver.read(response)
        except Exception as error:
            raise NoAnswer(error, cut=True) from error
        finally:
            await self._driver.close(response)
        return response

    def learn_time(self, response: httpx.Response) -> None:
        """Learns the server's time. For answers that are the API's own: anything in between may have another time."""
        sent_at, received_at = response.extensions[_TIMES]
        self._clock.learn(response.headers.get("date"), sent_at, received_at)


def never_sent(error: Exception) -> bool:
    """True if the request never left, because there was no connection."""
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def retry_after_s(response: httpx.Response, now: float) -> float | None:
    """The wait that `Retry-After` asks for, in seconds: a number, or the time of an HTTP date after `now`. None if there is none."""
    text = response.headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        return float(text)
    if not text.endswith(" GMT"):
        return None
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except ValueError:
        return None
