"""Lists that continue: iterate over all items, over pages, or read the first page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None
    """The `cursor` of the next page; None at the end."""


class Pages(Generic[Item]):
    """A list of the API. Iterating goes through all items and asks for pages as they are needed.

    Nothing is read before the list is iterated or its first page is read.
    """

    def __init__(self, read: Callable[[str | None], dict[str, Any]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

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
        answer = self._read(cursor)
        return Page(answer["items"], answer.get("next_cursor"))
