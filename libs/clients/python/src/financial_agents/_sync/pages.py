# Written by `pnpm gen` from _async/pages.py; change it there.
"""Lists that continue: iterate over all items, over pages, or read the first page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from ..drive import run
from ..call_options import CallOptions
from ..caller import Caller
from ..page import Page

Item = TypeVar("Item")


class Pages(Generic[Item]):
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

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.items:
                yield item

    def pages(self) -> Iterator[Page[Item]]:
        """Goes through the pages."""
        page = self.first_page()
        yield page
        while page.next_cursor is not None:
            page = self._page(page.next_cursor)
            yield page

    def first_page(self) -> Page[Item]:
        """Reads the first page."""
        return self._page(None)

    def _page(self, cursor: str | None) -> Page[Item]:
        return run(self._caller.page(self._name, self._parameters, self._options, self._query, cursor))
