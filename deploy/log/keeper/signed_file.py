"""The newest checkpoint that was signed, in a file beside the key and outside of every database: a store that is set back does not take it
along, and so cannot sign another history under the same name.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from deploy.private import FILE
from replay.proof.checkpoints import Checkpoint, read_checkpoint
from replay.proof.exact import Unproven


class SignedFile:
    """Whoever signs writes it, and it is on the disk, before anybody else is told."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self) -> str | None:
        """Raises OSError where it cannot be read, and ``Unproven`` for what is no text."""
        try:
            return self._path.read_text(encoding="utf-8") if self._path.exists() else None
        except UnicodeDecodeError:
            raise Unproven("note_malformed") from None

    def checkpoint(self) -> Checkpoint | None:
        """Raises ``Unproven`` for a file that holds none."""
        note = self.note()
        return None if note is None else read_checkpoint(note)

    def write(self, note: str) -> None:
        """Unless a larger one of the same log stands there: then another keeper is further, and what it signed is not forgotten."""
        with _alone(self._path.parent) as folder:
            if _is_behind(read_checkpoint(note), self.checkpoint()):
                return
            partial = self._path.with_name(f".{self._path.name}.{token_hex(8)}")
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(note)
                opened.flush()
                os.fsync(opened.fileno())
            partial.replace(self._path)
            os.fsync(folder)  # so that the file still has its name after a power cut


def _is_behind(checkpoint: Checkpoint, there: Checkpoint | None) -> bool:
    return there is not None and there.origin == checkpoint.origin and there.size > checkpoint.size


@contextmanager
def _alone(folder: Path) -> Iterator[int]:
    """The open folder, in which no other keeper writes meanwhile."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield opened
    finally:
        os.close(opened)
