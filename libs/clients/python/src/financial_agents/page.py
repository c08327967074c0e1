"""One page of a list."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None
    """The `cursor` of the next page; None at the end."""
