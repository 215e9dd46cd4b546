"""A record that its rulebook, or its audit, accepts: as it will be stored. Needs no request and no store, so any process may do it."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain import codec
from domain.events import NAMES, Recorded, Stamp
from domain.events.game import MovePlayed
from domain.free_texts import SaltedText
from domain.journal.archive import to_stored
from domain.journal.commits import CommandKey, Commit, Copies, Origin, Ref, StoredEvent, Text, origin_of
from domain.rules import Rulesets
from replay.content import content_digest, standing_digest
from replay.editions import Editions
from replay.elsewhere import Noted, unsaid
from replay.history import taken_over
from replay.record import Record, events_of

_MOVE = NAMES[MovePlayed]


class Accepted(Struct, frozen=True):
    """``whole``: the events come from a full record, and the game has its id. A game of any other record is known again by its ref, or
    without one by ``content``, the digest of what it tells.
    """

    events: tuple[StoredEvent, ...]
    texts: tuple[Text, ...] = ()
    origin: Origin | None = None
    content: str | None = None
    whole: bool = False

    @property
    def game(self) -> UUID:
        return self.events[0].stream

    @property
    def moves(self) -> int:
        return sum(event.name == _MOVE for event in self.events)

    def ref(self, copies: Copies) -> Ref | None:
        """Which of the equal ones in its file it is; ``None`` for one that is known again otherwise."""
        return copies.next(self.content) if self.content else None

    def commit(self, ref: Ref | None, command: CommandKey | None = None) -> Commit:
        """The whole game or nothing."""
        return Commit(self.events, command, self.texts, ref, None, self.origin)


def accept_whole(read: dict[str, Any], record: Record, editions: Editions, rulesets: Rulesets) -> Accepted:
    """A full record, of which ``record`` is what a simple one says: ids, times and principals stay. Raises ``Malformed``."""
    whole = taken_over(read, editions)
    origin = origin_of(record.ref, record.meta, standing_digest(whole.history, rulesets))
    return Accepted(_stored(whole.history), _texts(whole.texts), origin, whole=True)


def accept_played(
    record: Record, rulesets: Rulesets, id: UUID, stamp: Stamp, texts: Sequence[Text] = (), noted: Noted = unsaid
) -> Accepted:
    """A simple record, as a game of this id. ``texts`` are what ``noted`` has taken by then. Raises ``Refusal`` and ``Malformed``."""
    events = events_of(record, rulesets, noted)
    digest = content_digest(events, rulesets[record.ruleset])
    history = codec.link_events(id, 0, None, stamp, events)
    return Accepted(_stored(history), tuple(texts), origin_of(record.ref, record.meta, digest), None if record.ref else digest)


def _stored(history: Sequence[Recorded]) -> tuple[StoredEvent, ...]:
    return tuple(map(to_stored, history))


def _texts(texts: Mapping[str, SaltedText]) -> tuple[Text, ...]:
    return tuple(Text(id, text.body, text.salt) for id, text in texts.items())
