"""A record that its rulebook, or its audit, accepts, in the form in which it is stored.

It needs no request and no store, so any process may do it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain import codec
from domain.events import NAMES, Recorded, Stamp
from domain.events.base import TextRef
from domain.events.game import MovePlayed
from domain.free_texts import SaltedText
from domain.journal.commits import CommandKey, Commit, Copies, Origin, Ref, StoredEvent, Text, note, origin_of, to_stored
from domain.rules import Rulesets
from replay.content import content_digest, standing_digest
from replay.editions import Editions
from replay.external_context import check_past
from replay.record import Record, events_of, is_full_record, take_over

_MOVE = NAMES[MovePlayed]


class Accepted(Struct, frozen=True):
    """An accepted record.

    ``whole``: the events come from a full record, and the game has its id. A game of any other record is recognised again by its ref, or
    without one by ``content``, the digest of its content.
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
        """Return the ref with the number of this copy among equal records of its file; ``None`` for a record that is
        recognised otherwise.
        """
        return copies.next(self.content) if self.content else None

    def commit(self, ref: Ref | None, command: CommandKey | None = None) -> Commit:
        """Return the commit of the whole game, all or nothing."""
        return Commit(self.events, command, self.texts, ref, None, self.origin)


def accept(
    read: object,
    record: Record,
    by: str,
    rulesets: Rulesets,
    editions: Editions,
    clock: Callable[[], datetime],
    new_id: Callable[[], UUID],
    new_salt: Callable[[], bytes],
) -> Accepted:
    """Return an accepted record. ``read`` is the JSON, ``record`` its content as of a simple record.

    Ids, times and principals of a full record stay; from a simple one a game is made, recorded by ``by``. Raises ``Refusal`` and
    ``InvalidFormatError``, also for an impossible time.
    """
    check_past(record.context.played_at, record.hands, clock())
    if isinstance(read, dict) and is_full_record(read):
        whole = take_over(read, editions)
        origin = origin_of(record.ref, record.meta, standing_digest(whole.history, rulesets))
        return Accepted(_to_stored_events(whole.history), _texts(whole.texts), origin, whole=True)
    texts: list[Text] = []

    def note_text(said: str) -> TextRef:
        kept = note(str(new_id()), said, new_salt())
        texts.append(kept.text)
        return kept.ref

    stamp, id = Stamp(clock(), by), new_id()
    events = events_of(record, rulesets, note_text)
    digest = content_digest(events, rulesets[record.ruleset])
    history = codec.link_events(id, 0, None, stamp, events)
    return Accepted(_to_stored_events(history), tuple(texts), origin_of(record.ref, record.meta, digest), None if record.ref else digest)


def _to_stored_events(history: Sequence[Recorded]) -> tuple[StoredEvent, ...]:
    return tuple(map(to_stored, history))


def _texts(texts: Mapping[str, SaltedText]) -> tuple[Text, ...]:
    return tuple(Text(id, text.body, text.salt) for id, text in texts.items())
