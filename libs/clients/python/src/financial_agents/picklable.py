"""Errors that `pickle`, `copy` and `deepcopy` keep, so that they cross process pools and task queues."""

from typing import Any


class Picklable(Exception):
    """An error that is restored from its attributes. Python would call the constructor again, with the message alone."""

    def __reduce__(self) -> tuple[Any, ...]:
        state = dict(self._state())
        # Another library's error may not be picklable, or may hold a request with its token.
        if isinstance(self.__cause__, Picklable):
            state["__cause__"] = self.__cause__
        return type(self).__new__, (type(self), *self.args), state

    def _state(self) -> dict[str, Any]:
        return self.__dict__
