"""A store that ends with the process: durable writes do not survive a crash. For tests, and for reads only."""

from threading import Lock
from typing import Any

from ..store import Store


class _MemoryStore:
    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._lock = Lock()

    def get(self, key: str) -> Any:
        return self._values.get(key)

    def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        with self._lock:
            if if_absent and key in self._values:
                return False
            self._values[key] = value
            return True

    def delete(self, key: str) -> None:
        self._values.pop(key, None)


def memory_store() -> Store:
    """Creates an empty store in memory."""
    return _MemoryStore()
