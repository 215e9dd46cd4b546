"""Recomputation of the log from the stored events, without its tree, and search for typed roots and marks. No event is decoded."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from uuid import UUID

from msgspec import Struct

from deploy.log.writer.writer import BATCH
from domain.journal.commits import StoredEvent
from domain.journal.log import BlindingKey, LogEpoch, Sequenced, blinding_at, merge_own_entries, own_entries
from domain.journal.store import EventStore
from replay.proof.exact import has_bits
from replay.proof.tree import ZEROS, Growing, commitment_of, mark_of

_BEFORE_ALL = -(2**62)
"""A number below every sequence: a tampered row may have a sequence that no store assigns."""


class Blinding:
    """The keys that blind the commitments of an epoch, each from its leaf on."""

    def __init__(self, keys: Sequence[BlindingKey]) -> None:
        self._keys = keys

    def mark(self, leaf: int, event: StoredEvent, prev: bytes) -> bytes:
        """Return the mark of an event at this place of the tree. ``prev``: the mark before it in its stream."""
        key = blinding_at(self._keys, leaf) if self._keys else b""  # the keys were removed: no mark matches then
        return mark_of(event.stream, event.position, prev, commitment_of(key, event.stream, event.position, event.name, event.state))


class LastMarks:
    """Newest mark of each stream."""

    def __init__(self) -> None:
        self._last: dict[UUID, tuple[int, bytes]] = {}

    def before(self, stream: UUID, position: int) -> bytes:
        known, mark = self._last.get(stream, (0, ZEROS))
        return mark if known == position - 1 else ZEROS

    def put(self, stream: UUID, position: int, mark: bytes) -> None:
        self._last[stream] = position, mark


def compute_marks(events: EventStore, epoch: LogEpoch) -> Iterator[bytes]:
    """Yield the mark of every entry as the store yields it now, in the order of the log."""
    return (mark for _, mark in compute_entries(events, epoch))


def compute_entries(events: EventStore, epoch: LogEpoch) -> Iterator[tuple[StoredEvent, bytes]]:
    """Yield every entry as the store yields it now, with its mark."""
    blinding, last = Blinding(events.blinding_keys(epoch.number)), LastMarks()
    for leaf, event in enumerate(_entries(events, epoch)):
        mark = blinding.mark(leaf, event, last.before(event.stream, event.position))
        last.put(event.stream, event.position, mark)
        yield event, mark


def read_stored(events: EventStore, upto: int | None = None) -> Iterator[list[Sequenced]]:
    """Yield all stored events in batches. ``upto``: not beyond this sequence."""
    after = _BEFORE_ALL
    while rows := events.events_after(after, BATCH, upto=upto):
        yield rows
        after = rows[-1][0]


def _entries(events: EventStore, epoch: LogEpoch) -> Iterator[StoredEvent]:
    own, leaf = own_entries(events, epoch), 0
    for rows in chain(read_stored(events), ([],)):
        found = merge_own_entries(rows, own, leaf, 0)
        yield from (event for _, event in found)
        leaf += len(found)


class Root(Struct, frozen=True, tag="root"):
    """Root of the first ``size`` entries of a log."""

    origin: str
    size: int


class Mark(Struct, frozen=True, tag="mark"):
    """Mark of an event in a log."""

    origin: str
    stream: UUID
    position: int


def find_typed_roots(events: EventStore, said: Mapping[str, int]) -> dict[str, Root | Mark]:
    """Return those of the typed values, as ``parse_bits`` reads them, that are a root or a mark of the stored events.

    The newest log comes first; values that are neither are left out.
    """
    found: dict[str, Root | Mark] = {}
    for epoch in reversed(events.log_epochs()):
        found = _in(events, epoch, {text: bits for text, bits in said.items() if text not in found}) | found
    return found


def _in(events: EventStore, epoch: LogEpoch, said: Mapping[str, int]) -> dict[str, Root | Mark]:
    found: dict[str, Root | Mark] = {}
    growing = Growing()
    for event, mark in compute_entries(events, epoch):
        if len(found) == len(said):
            break
        growing.add(mark)
        root = growing.root
        for text, bits in said.items():
            if has_bits(mark, bits):
                found[text] = Mark(epoch.origin, event.stream, event.position)
            elif has_bits(root, bits):
                found[text] = Root(epoch.origin, growing.size)
    return found
