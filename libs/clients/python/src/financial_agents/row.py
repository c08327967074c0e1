"""A row of the generated table: one method of the API."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """The request of a method, and the rule by which it may be repeated."""

    method: str
    path: str
    """The path with its parameters in braces. With the method, it is part of an idempotency key's identity."""
    open: bool = False
    """Needs no credentials."""
    keyed: bool = False
    """Takes `Idempotency-Key`: a durable write."""
    kind: str | None = None
    """The kind of a durable write's operation, if it is known."""
    confirm: str | None = None
    """The action for which it takes `Confirmation-Intent-ID`."""
    always: bool = False
    """The confirmation is always needed, not only where the grant's policy says so."""
    list: bool = False
    """The response is a list with `items`."""
    operation: bool = False
    """The response is an operation."""
    status: int = 201
    """The status of success of a POST that is neither a durable write nor an operation."""
    has: str | None = None
    """A member of the response of a POST that has no id."""
    once: bool = False
    """The request must not be repeated blindly if no answer came."""


def row_of(text: str) -> Row:
    """Reads a row of the table: method, path, then marks such as `list` or `keyed:transfer`."""
    method, path, *marks = text.split(" ")
    named = dict(mark.split(":") for mark in marks if ":" in mark)
    return Row(
        method,
        path,
        open="open" in marks,
        keyed="keyed" in named,
        kind=named.get("keyed"),
        confirm=named.get("confirm"),
        always="always" in marks,
        list="list" in marks,
        operation="operation" in marks,
        status=int(named.get("status", 201)),
        has=named.get("has"),
        once="once" in marks,
    )
