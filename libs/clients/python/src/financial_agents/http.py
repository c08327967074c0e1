"""Every request of the client. The client learns the server's time from the API's own answers."""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import cast

import httpx

from .clock import Clock

# The times of this machine at which a request was sent, and its answer had come.
_TIMES = "financial_agents.times"


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

    def __init__(self, error: Exception, *, cut: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.cut = cut
        """The answer began, and could not be read to its end."""


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
        except NoAnswer:
            raise
        except Exception as error:
            # A hook of the application's own `httpx.Client` fails after the request was sent.
            raise NoAnswer(error) from error
        response.extensions[_TIMES] = (sent_at, time.time())
        return response

    def _send(self, request: httpx.Request) -> httpx.Response:
        limit_s, started = self._client.timeout.read, time.monotonic()
        response = self._client.send(request, stream=True, follow_redirects=False)
        try:
            if limit_s is not None:
                stream = cast("httpx.SyncByteStream", response.stream)
                response.stream = _Limited(stream, limit_s, started + limit_s, request)
            response.read()
        except Exception as error:
            raise NoAnswer(error, cut=True) from error
        finally:
            response.close()
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
