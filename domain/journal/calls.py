"""What comes with every command, and what a command answers."""

from datetime import datetime
from hashlib import sha256
from typing import Generic

from msgspec import Struct

from domain.aggregate import A
from domain.events import Recorded
from domain.events.base import TextRef
from domain.journal.commits import CommandKey, Text


class Call(Struct, frozen=True):
    """Who commands (an opaque principal id), on which position he decided (``None``: whatever it is), and under which key.

    ``fingerprint`` is a digest of the request: the same key with another fingerprint is refused (``Reused``).
    ``happened_at`` is when it happened at the table, if that was told.
    """

    by: str
    expected: int | None = None
    key: str | None = None
    fingerprint: str = ""
    happened_at: datetime | None = None

    @property
    def command(self) -> CommandKey | None:
        return CommandKey(self.by, self.key, self.fingerprint) if self.key is not None else None


class Receipt(Struct, Generic[A], frozen=True):
    """What was recorded: the aggregate before, the events in order, the aggregate after them, and the sequence of the last one.

    A command that came twice under one key gets the receipt of the first, with ``repeated`` set; ``after`` is as it stood then.
    """

    before: A | None
    events: tuple[Recorded, ...]
    after: A
    sequence: int
    repeated: bool = False


class Note(Struct, frozen=True):
    """A free text of a person on its way into the register of texts."""

    text: Text
    ref: TextRef


def note(id: str, body: str) -> Note:
    return Note(Text(id, body), TextRef(id, sha256(body.encode()).hexdigest()))
