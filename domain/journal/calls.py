"""What comes with every command, and its receipt."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Generic
from uuid import UUID

from msgspec import Struct

from domain.aggregate import A
from domain.events import Event, Recorded
from domain.events.base import TextRef
from domain.free_texts import text_digest
from domain.game import Game
from domain.journal.commits import CommandKey, Text


class Call(Struct, frozen=True):
    """Who sends a command (an opaque principal id), the position it was decided on (``None``: any), and its idempotency key.

    ``fingerprint`` is a digest of the request: the same key with another fingerprint is refused (``Reused``). ``former`` is the digest
    of the same request as older versions made it, which the register may still hold. ``happened_at`` is the time at the table, if given.
    """

    by: str
    expected: int | None = None
    key: str | None = None
    fingerprint: str = ""
    happened_at: datetime | None = None
    former: str = ""

    def is_like(self, fingerprint: str) -> bool:
        """Whether this is the request that the fingerprint was recorded of, as far as that can still be told: an erasure of words takes
        the fingerprint along, and then the key alone decides.
        """
        return fingerprint in ("", self.fingerprint, self.former)

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


class Brought(Struct, frozen=True):
    """What was recorded of a whole game that came from elsewhere: its last position, and the sequence of that."""

    game: UUID
    position: int
    sequence: int
    repeated: bool = False


class Beside(Struct, Generic[A], frozen=True):
    """Games in which a command of something else records, too. ``decide`` is given that aggregate as it stands before the command, and each
    game; it may return nothing.
    """

    games: Sequence[UUID]
    decide: Callable[[A, Game], Sequence[Event]]


class Note(Struct, frozen=True):
    """A free text of a person on its way into the register of texts."""

    text: Text
    ref: TextRef


def note(id: str, body: str, salt: bytes) -> Note:
    """``salt``: chance, for this text alone."""
    return Note(Text(id, body, salt), TextRef(id, text_digest(body, salt)))
