"""A store in a folder of this machine: one file (0600) for each key.

A file is written beside its place, flushed, and moved there in one step. A crash leaves the old value or the new one, and two
processes never both create a key. The client for TypeScript reads and writes the same files.
"""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from ..client_error import ClientError
from ..store import Store


class _FileStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Any:
        path = self._path_of(key)
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            text = "?"
        return _value_in(text, path, key)

    def set(self, key: str, value: Any, *, if_absent: bool = False, secret: bool = False) -> bool:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path_of(key)
        beside = self._folder / f".{uuid4()}.tmp"
        try:
            _write_flushed(beside, json.dumps({"key": key, "value": value}, ensure_ascii=False))
            if not if_absent:
                beside.replace(path)
            else:
                # A hard link fails if the name is taken, so it succeeds for only one process.
                try:
                    os.link(beside, path)
                except FileExistsError:
                    return False
            self._flush_folder()
            return True
        finally:
            beside.unlink(missing_ok=True)

    def delete(self, key: str) -> None:
        with suppress(FileNotFoundError):
            self._path_of(key).unlink()
            self._flush_folder()

    def _path_of(self, key: str) -> Path:
        return self._folder / f"{sha256(key.encode()).hexdigest()}.json"

    def _flush_folder(self) -> None:
        """Makes the new name durable. Windows neither needs nor allows it."""
        if os.name == "nt":
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _value_in(text: str, path: Path, key: str) -> Any:
    with suppress(ValueError):
        kept = json.loads(text)
        if isinstance(kept, dict) and "value" in kept:
            return cast("dict[str, Any]", kept)["value"]
    is_credential = key.rpartition("/")[2] in ("session", "dpop-key")
    found = "is damaged" if text.strip() else "is empty"
    advice = (
        "Delete it, and sign in again: agent.sign_in()."
        if is_credential
        else "Restore it from a backup. It may be the record of a write: without one, look in agent.operations.list() for that write "
        "before you delete the file, because the same intent could then be sent a second time."
    )
    raise ClientError(
        "store_damaged", f"The file {path} of the store {found}. {advice}", submission_uncertain=not is_credential
    )


def _write_flushed(path: Path, text: str) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def file_store(folder: str | os.PathLike[str]) -> Store:
    """Creates the store. The folder (0700) is created at the first write.

    It holds the DPoP key and tokens: keep it out of backups that others can read, and out of version control. `folder` is an
    absolute path, or one below the working directory.
    """
    return _FileStore(Path(folder))
