"""The record that the client keeps of a durable write. It makes sure that the write stays one write, even if the client crashes.

The key is a digest of environment, client, account, route and intent: two processes, and a process that lost its store, send the same
key. The record is in the store before the first byte is sent. An accepted write is kept for good: its intent finds the operation
long after the API has forgotten the key.

The client for TypeScript makes the same keys, digests and records. If both clients use one store, an intent stays one write.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import NotRequired, TypedDict

from .client_error import ClientError
from .clock import Clock
from .json_text import canonical
from .row import Row
from .store import Within


class SendingRecord(TypedDict):
    """A write that may have been sent."""

    key: str
    hash: str
    """The digest of path and body."""
    at: float
    """The server's time of the first attempt, in milliseconds."""
    confirmation: NotRequired[str]
    """The confirmation that the owner was asked for."""
    unsent: NotRequired[bool]
    """True while it is known that no attempt is open: the record is kept for its confirmation alone."""


class AcceptedRecord(TypedDict):
    """A write that was accepted."""

    hash: str
    operationId: str


class Note(TypedDict):
    """The application's own note about an accepted write."""

    intent: str
    metadata: dict[str, str]


def note_of(operation_id: str) -> str:
    """The place of a note in the store."""
    return f"operation/{operation_id}"


@dataclass(frozen=True)
class Intended:
    """A write as its caller asks for it."""

    row: Row
    path: str
    body: str | None
    hash: str
    intent: str


class IntentRecords:
    """The records of one intent of one route."""

    def __init__(self, store: Within, clock: Clock, scope: str, intended: Intended) -> None:
        route = f"{intended.row.method} {intended.row.path}"
        self._store = store
        self._clock = clock
        self._hash = intended.hash
        self._intent = intended.intent
        self._accepted = f"accepted/{route}/{intended.intent}"
        self._sending = f"sending/{route}/{intended.intent}"
        self._noted = f"metadata/{route}/{intended.intent}"
        self.key = digest(f"{scope}{route}\n{intended.intent}")

    async def accepted(self) -> AcceptedRecord | None:
        """The accepted write, or None.

        Raises ClientError `intent_conflict` if the intent was used with another request.
        """
        record: AcceptedRecord | None = await self._store.get(self._accepted)
        if record is None:
            return None
        if record["hash"] != self._hash:
            raise self._conflict()
        return record

    async def claim(self) -> tuple[SendingRecord, bool]:
        """The record of this write, and True if no attempt is open. Raises ClientError `intent_conflict`."""
        made: SendingRecord = {"key": self.key, "hash": self._hash, "at": round(self._clock.now() * 1_000)}
        if await self._store.set(self._sending, made, if_absent=True):
            return made, True
        record: SendingRecord = await self._store.get(self._sending) or made
        if record["hash"] != self._hash:
            raise self._conflict()
        return record, record.get("unsent", False)

    async def save(self, record: SendingRecord) -> None:
        await self._store.set(self._sending, record)

    async def note(self, metadata: Mapping[str, str] | None, operation_id: str | None = None) -> None:
        """Keeps the metadata of the write, once it was accepted with its operation."""
        if metadata is None:
            return
        if operation_id is None:
            await self._store.set(self._noted, dict(metadata))
        else:
            await self._store.set(note_of(operation_id), {"intent": self._intent, "metadata": dict(metadata)})

    async def accept(self, operation_id: str) -> None:
        metadata = await self._store.get(self._noted)
        await self.note(metadata, operation_id)
        await self._store.set(self._accepted, {"hash": self._hash, "operationId": operation_id})
        await self._store.delete(self._sending)
        if metadata is not None:
            await self._store.delete(self._noted)

    async def unsent(self, record: SendingRecord) -> None:
        """Keeps that no attempt is open. Without a confirmation, the intent is free again."""
        if "confirmation" in record:
            await self._store.set(self._sending, {**record, "unsent": True})
        else:
            await self._store.delete(self._sending)
            await self._store.delete(self._noted)

    def _conflict(self) -> ClientError:
        return intent_conflict(self._intent)


def intent_conflict(intent: str, where: str = "") -> ClientError:
    """The error about an intent of another request, in this store or elsewhere."""
    message = (
        f'The intent "{intent}" was used with another request{where}. Repeat that one exactly, or use a new intent.'
    )
    return ClientError("intent_conflict", message)


def digest(text: str) -> str:
    return urlsafe_b64encode(sha256(text.encode()).digest()).decode().rstrip("=")


def request_hash(path: str, body: str | None) -> str:
    """The digest by which two requests are equal: of the path, and of the JSON that is sent in its canonical form (RFC 8785)."""
    return digest(f"{path}\n{'' if body is None else canonical(body)}")
