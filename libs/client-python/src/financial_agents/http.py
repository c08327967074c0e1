"""Every request of the client. The client learns the server's time from each answer."""

import time
from collections.abc import Iterator
from typing import cast

import httpx

from .clock import Clock


class _Limited(httpx.SyncByteStream):
    """A body that ends at a time. The time-outs of httpx bound each silence alone, so a body that drips would never end."""

    def __init__(self, stream: httpx.SyncByteStream, limit_s: float, ends_at: float, request: httpx.Request) -> None:
        self._stream = stream
        self._limit_s = limit_s
        self._ends_at = ends_at
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if time.monotonic() > self._ends_at:
                message = f"the answer did not end within {self._limit_s:g} s"
                raise httpx.ReadTimeout(message, request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()


class NoAnswer(Exception):
    """A request got no answer. The errors of the application's own functions, such as its store, are never this one."""

    def __init__(self, error: httpx.RequestError) -> None:
        super().__init__(str(error))
        self.error = error


class Http:
    """Sends requests over the connections of one `httpx.Client`. It follows no redirects, so a token reaches only the API."""

    def __init__(self, client: httpx.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock

    def send(self, method: str, url: str, headers: dict[str, str], body: str | None = None) -> httpx.Response:
        """Sends once. Raises NoAnswer."""
        sent_at = time.time()
        try:
            response = self._send(self._client.build_request(method, url, headers=headers, content=body))
        except httpx.RequestError as error:
            raise NoAnswer(error) from error
        self._clock.learn(response.headers.get("date"), sent_at)
        return response

    def _send(self, request: httpx.Request) -> httpx.Response:
        limit_s, started = self._client.timeout.read, time.monotonic()
        response = self._client.send(request, stream=True, follow_redirects=False)
        try:
            if limit_s is not None:
                stream = cast("httpx.SyncByteStream", response.stream)
                response.stream = _Limited(stream, limit_s, started + limit_s, request)
            response.read()
        finally:
            response.close()
        return response


def never_sent(error: Exception) -> bool:
    """True if the request never left, because there was no connection."""
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def retry_after_s(response: httpx.Response) -> float | None:
    """The wait that `Retry-After` asks for, in seconds; None if there is none."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None
