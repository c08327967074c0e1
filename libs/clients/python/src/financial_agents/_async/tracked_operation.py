"""The operation that writes return, with functions that follow it."""

from ..call_options import CallOptions
from ..caller import Caller
from ..generated.models import Operation, OperationState
from ..outcome import Outcome
from ..request_log import OnResponse


class AsyncTrackedOperation:
    """An operation with functions that follow it. Its data are those of the answer; `refresh` reads them again."""

    def __init__(self, caller: Caller, data: Operation) -> None:
        self._caller = caller
        self.data = data
        """The operation as the API sent it."""

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def state(self) -> OperationState:
        return self.data["state"]

    async def wait(self, timeout: float | None = None) -> Outcome:
        """Waits for the outcome, at most `timeout` seconds (60). A time-out is an outcome of its own, never a failure.

        Raises ClientError `wait_failed`: the operation goes on.
        """
        return await self._caller.wait(self.data, timeout)

    async def refresh(
        self, *, timeout: float | None = None, retry_for: float | None = None, on_response: OnResponse | None = None
    ) -> "AsyncTrackedOperation":
        """Reads the operation again."""
        options = CallOptions(timeout, retry_for, on_response)
        return AsyncTrackedOperation(self._caller, await self._caller.read_operation(self.id, options))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}: {self.state}>"
