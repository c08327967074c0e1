"""The operation that writes return, with functions that follow it."""

from .attempt import OnResponse
from .call import call
from .core import Core
from .generated.models import Operation, OperationState
from .outcome import Outcome
from .transport import operation_read
from .waiting import wait


class TrackedOperation:
    """An operation with functions that follow it. Its data are those of the answer; `refresh` reads them again."""

    def __init__(self, core: Core, data: Operation) -> None:
        self._core = core
        self.data = data
        """The operation as the API sent it."""

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def state(self) -> OperationState:
        return self.data["state"]

    def wait(self, timeout: float = 60) -> Outcome:
        """Waits for the outcome, at most `timeout` seconds. A time-out is an outcome of its own, never a failure.

        Raises ClientError `wait_failed`: the operation goes on.
        """
        return wait(self._core, self.data, timeout)

    def refresh(self, *, retry_for: float | None = None, on_response: OnResponse | None = None) -> "TrackedOperation":
        """Reads the operation again."""
        return TrackedOperation(self._core, call(self._core, operation_read(self.id), retry_for, on_response))

    def __repr__(self) -> str:
        return f"<TrackedOperation {self.id}: {self.state}>"
