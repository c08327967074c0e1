"""Lists that continue: iterate over all items, over pages, or read the first page."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Generic, TypeVar

from ..call_options import CallOptions
from ..caller import Caller
from ..page import Page

Item = TypeVar("Item")


class AsyncPages(Generic[Item]):
    """A list of the API. Iterating goes through all items and asks for pages as they are needed.

    Nothing is read before the list is iterated or its first page is read.
    """

    def __init__(
        self, caller: Caller, name: str, parameters: Sequence[str], options: CallOptions, query: Mapping[str, object]
    ) -> None:
        self._caller = caller
        self._name = name
        self._parameters = parameters
        self._options = options
        self._query = query

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Goes through the pages."""
        page = await self.first_page()
        yield page
        while page.next_cursor is not None:
            page = await self._page(page.next_cursor)
            yield page

    async def first_page(self) -> Page[Item]:
        """Reads the first page."""
        return await self._page(None)

    async def _page(self, cursor: str | None) -> Page[Item]:
        return await self._caller.page(self._name, self._parameters, self._options, self._query, cursor)
