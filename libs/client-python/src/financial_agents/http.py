"""Every request of the client. The client learns the server's time from each answer."""

import time

import httpx

from .clock import Clock


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
            response = self._client.request(method, url, headers=headers, content=body, follow_redirects=False)
        except httpx.RequestError as error:
            raise NoAnswer(error) from error
        self._clock.learn(response.headers.get("date"), sent_at)
        return response


def never_sent(error: Exception) -> bool:
    """True if the request never left, because there was no connection."""
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def retry_after_s(response: httpx.Response) -> float | None:
    """The wait that `Retry-After` asks for, in seconds; None if there is none."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None
