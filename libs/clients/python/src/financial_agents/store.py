"""The data that the client must not lose: keys, tokens, and the records of durable writes.

The records of accepted writes are kept for good. Without the record, an intent that is repeated after the API has forgotten its key
is a new write, which can pay twice.
"""

from typing import Any, Protocol

from .drive import Driver


class Store(Protocol):
    """Three functions. Values are JSON. A store holds secrets: nobody else may read it.

    `set` has to be durable when it returns, and atomic: a crash leaves the old value or the new one. With `if_absent` it
    changes nothing and returns False if the key is there, also for two processes at once.
    """

    def get(self, key: str) -> Any:
        """The value, or None."""
        ...

    def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        """Keeps the value. `secret`: the value is a key or a token, so that a store can keep it apart, for example sealed.

        Everything else is records of writes.
        """
        ...

    def delete(self, key: str) -> None: ...


class AsyncStore(Protocol):
    """A store whose functions await, for `AsyncFinancialAgents`. It promises what a `Store` promises."""

    async def get(self, key: str) -> Any: ...
    async def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool: ...
    async def delete(self, key: str) -> None: ...


AnyStore = Store | AsyncStore


class Within:
    """The part of a store whose keys begin with `prefix`."""

    def __init__(self, store: AnyStore, prefix: str, driver: Driver) -> None:
        self._store = store
        self._prefix = prefix
        self._driver = driver

    async def get(self, key: str) -> Any:
        return await self._driver.call(self._store.get, self._prefix + key)

    async def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        return await self._driver.call(self._store.set, self._prefix + key, value, if_absent=if_absent, secret=secret)

    async def delete(self, key: str) -> None:
        await self._driver.call(self._store.delete, self._prefix + key)
