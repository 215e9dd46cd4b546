"""The log as the stored events make it, without its tree. Nothing is decoded."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from deploy.keeping.keeper import BATCH, FORKED, stream_of_log
from domain.journal.commits import StoredEvent
from domain.journal.log.register import BlindingKey, LogEpoch
from domain.journal.store import EventStore
from replay.proof.marks import ZEROS, commitment_to, head_of, mark_of, salt_of

_BEFORE_ALL = -(2**62)
"""Before every sequence: whoever tampers may have given one that no store gives."""


class Entry(NamedTuple):
    """What is to stand in the log: an event at its sequence; 0 for what a log says of itself."""

    sequence: int
    event: StoredEvent


def entries(events: EventStore, epoch: LogEpoch, upto: int | None = None) -> Iterator[Entry]:
    """In the order of the log. ``upto``: not beyond this sequence."""
    if epoch.forked is not None:
        yield Entry(0, StoredEvent(stream_of_log(epoch.origin), 1, FORKED, epoch.forked.encode()))
    after = _BEFORE_ALL
    while rows := events.events_after(after, BATCH, upto=upto):
        yield from (Entry(*row) for row in rows)
        after = rows[-1][0]


class Blinding:
    """The keys that blind the commitments of an epoch, each from its leaf on."""

    def __init__(self, keys: Sequence[BlindingKey]) -> None:
        self._keys = sorted(((key.leaf, key.key) for key in keys), reverse=True)

    def mark(self, leaf: int, event: StoredEvent, prev: bytes) -> bytes:
        """Of an event at this place of the tree. ``prev``: the mark before it in its stream."""
        key = next((key for first, key in self._keys if first <= leaf), b"")
        salt, head = salt_of(key, event.stream, event.position), head_of(event.stream, event.position, event.name)
        return mark_of(event.stream, event.position, prev, commitment_to(salt, head, event.state))


class LastMarks:
    """The newest mark of each stream."""

    def __init__(self) -> None:
        self._last: dict[UUID, tuple[int, bytes]] = {}

    def before(self, stream: UUID, position: int) -> bytes:
        known, mark = self._last.get(stream, (0, ZEROS))
        return mark if known == position - 1 else ZEROS

    def put(self, stream: UUID, position: int, mark: bytes) -> None:
        self._last[stream] = position, mark


def marks(events: EventStore, epoch: LogEpoch) -> Iterator[bytes]:
    """What the store comes to now: the mark of every event, in the order of the log."""
    return (mark for _, mark in marked(entries(events, epoch), Blinding(events.blinding_keys(epoch.number))))


def marked(found: Iterable[Entry], blinding: Blinding) -> Iterator[tuple[StoredEvent, bytes]]:
    """Each event with its mark. ``found``: all of them from the first one on."""
    last = LastMarks()
    for leaf, (_, event) in enumerate(found):
        mark = blinding.mark(leaf, event, last.before(event.stream, event.position))
        last.put(event.stream, event.position, mark)
        yield event, mark
