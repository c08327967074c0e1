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
    confirm: str | None = None
    """The action for which it takes `Confirmation-Intent-ID`."""
    always: bool = False
    """The confirmation is always needed, not only where the grant's policy says so."""
    once: bool = False
    """The request must not be repeated blindly if no answer came."""


def row_of(text: str) -> Row:
    """Reads a row of the table: method, path, then marks such as `keyed` or `confirm:transfer`."""
    method, path, *marks = text.split(" ")
    confirm = next((mark.removeprefix("confirm:") for mark in marks if mark.startswith("confirm:")), None)
    return Row(
        method,
        path,
        open="open" in marks,
        keyed="keyed" in marks,
        confirm=confirm,
        always="always" in marks,
        once="once" in marks,
    )
