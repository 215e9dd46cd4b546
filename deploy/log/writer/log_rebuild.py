"""Recomputation of the log from the stored events, without its tree, and detection of tampered events, entry by entry."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from msgspec import Struct

from deploy.log.writer.writer import BATCH
from domain.journal.commits import StoredEvent
from domain.journal.log import BlindingKey, LogEpoch, Sequenced, blinding_at, merge_own_entries, own_entries, stream_of_log
from domain.journal.store import EventStore
from replay.proof.checkpoints import has_bits
from replay.proof.log import Leaf, LogTree, mark_at
from replay.proof.tiles import HASH, WIDTH
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


# Detection of tampered events: compares the store with the signed tree, entry by entry.


Way: TypeAlias = Literal["gone", "changed", "added", "moved"]
"""``added``: before the last signed entry. ``moved``: the event is unchanged, but at another place in the order of the store."""


class Difference(Struct, frozen=True):
    """A range of positions in a stream that differ in the same way, from the first to the last."""

    stream: UUID
    way: Way
    first: int
    last: int


class SignedLeaf(NamedTuple):
    """A leaf, the mark before it in its stream, and its own mark."""

    leaf: Leaf
    prev: bytes
    mark: bytes


def differences(events: EventStore, tree: LogTree, epoch: LogEpoch, size: int) -> tuple[Difference, ...]:
    """Compare the whole store with the first ``size`` leaves of a tree that has the signed root.

    The differences are ordered by stream, then by position.
    """
    last = tree.leaves(size - 1, 1)[0].sequence
    return _Comparison(events, tree, epoch, size).compare(read_signed_leaves(tree, size), chain.from_iterable(read_stored(events, last)))


def stream_differences(events: EventStore, tree: LogTree, epoch: LogEpoch, leaves: list[Leaf], size: int) -> tuple[Difference, ...]:
    """Compare one stream. ``leaves``: all of its signed leaves, at least one."""
    stream, last = leaves[0].stream, leaves[-1].sequence
    rows = zip(events.select_sequences(stream), events.select_events(stream), strict=False)
    before = ((sequence, event) for sequence, event in rows if sequence <= last)
    return _Comparison(events, tree, epoch, size).compare(_with_marks(tree, leaves), before)


def stream_leaves(tree: LogTree, stream: UUID, size: int) -> list[Leaf]:
    """Return the leaves of a stream among the first ``size``, in the order of its positions."""
    found: list[Leaf] = []
    for position in count(1):
        leaf = tree.leaf_of(stream, position)
        if leaf is None or leaf.leaf >= size:
            break
        found.append(leaf)
    return found


def read_signed_leaves(tree: LogTree, size: int) -> Iterator[SignedLeaf]:
    """Yield the first ``size`` leaves with their marks."""
    return _with_marks(tree, (leaf for first in range(0, size, WIDTH) for leaf in tree.leaves(first, min(WIDTH, size - first))))


def read_signed_marks(tree: LogTree, size: int) -> Iterator[bytes]:
    """Yield the marks of the first ``size`` leaves, as the tree has them."""
    for first in range(0, size, WIDTH):
        tile = tree.tile(0, first // WIDTH)[: (size - first) * HASH]
        yield from (tile[at : at + HASH] for at in range(0, len(tile), HASH))


def _with_marks(tree: LogTree, leaves: Iterable[Leaf]) -> Iterator[SignedLeaf]:
    last = LastMarks()
    for leaf in leaves:
        mark = mark_at(tree, leaf.leaf)
        yield SignedLeaf(leaf, last.before(leaf.stream, leaf.position), mark)
        last.put(leaf.stream, leaf.position, mark)


class _Comparison:
    """Comparison of signed leaves with stored events, both in the order of their sequences.

    The log's own entries are compared with the register.
    """

    def __init__(self, events: EventStore, tree: LogTree, epoch: LogEpoch, size: int) -> None:
        self._events = events
        self._tree = tree
        self._size = size
        self._blinding = Blinding(events.blinding_keys(epoch.number))
        self._own_stream = stream_of_log(epoch.origin)
        self._own = {event.position: event for event in own_entries(events, epoch).values()}
        self._found: dict[UUID, list[tuple[Way, int]]] = {}
        self._lost: dict[UUID, list[SignedLeaf]] = {}
        self._strange: list[StoredEvent] = []

    def compare(self, signed: Iterator[SignedLeaf], rows: Iterator[Sequenced]) -> tuple[Difference, ...]:
        self._walk(self._without_own(signed), rows)
        for stream, leaves in self._lost.items():
            self._search_for(stream, leaves)
        for event in self._strange:
            leaf = self._tree.leaf_of(event.stream, event.position)
            if leaf is None or leaf.leaf >= self._size:
                self._find(event.stream, "added", event.position)
        return tuple(one for stream, places in self._found.items() for one in _runs(stream, places))

    def _without_own(self, signed: Iterator[SignedLeaf]) -> Iterator[SignedLeaf]:
        for one in signed:
            if one.leaf.stream != self._own_stream:
                yield one
            elif (event := self._own.get(one.leaf.position)) is None or not self._is_same(one, event):
                self._find(one.leaf.stream, "gone" if event is None else "changed", one.leaf.position)

    def _walk(self, signed: Iterator[SignedLeaf], rows: Iterator[Sequenced]) -> None:
        one, row = next(signed, None), next(rows, None)
        while one is not None or row is not None:
            if one is not None and row is not None and _same_place(one.leaf, row):
                if not self._is_same(one, row[1]):
                    self._find(one.leaf.stream, "changed", one.leaf.position)
                one, row = next(signed, None), next(rows, None)
            elif one is not None and (row is None or one.leaf.sequence <= row[0]):
                self._lost.setdefault(one.leaf.stream, []).append(one)
                one = next(signed, None)
            elif row is not None:
                self._strange.append(row[1])
                row = next(rows, None)

    def _search_for(self, stream: UUID, leaves: list[SignedLeaf]) -> None:
        """Check whether missing events are elsewhere in the store."""
        positions = [one.leaf.position for one in leaves]
        there = {event.position: event for event in self._events.select_events(stream, min(positions) - 1, max(positions))}
        for one in leaves:
            event = there.get(one.leaf.position)
            way: Way = "gone" if event is None else "moved" if self._is_same(one, event) else "changed"
            self._find(stream, way, one.leaf.position)

    def _is_same(self, one: SignedLeaf, event: StoredEvent) -> bool:
        return self._blinding.mark(one.leaf.leaf, event, one.prev) == one.mark

    def _find(self, stream: UUID, way: Way, position: int) -> None:
        self._found.setdefault(stream, []).append((way, position))


def _same_place(leaf: Leaf, row: Sequenced) -> bool:
    sequence, event = row
    return (leaf.sequence, leaf.stream, leaf.position) == (sequence, event.stream, event.position)


def _runs(stream: UUID, places: Iterable[tuple[Way, int]]) -> Iterator[Difference]:
    """Combine adjacent positions with the same difference."""
    run: Difference | None = None
    for way, position in sorted(places, key=lambda place: place[1]):
        if run is not None and (run.way, run.last + 1) == (way, position):
            run = Difference(stream, way, run.first, position)
            continue
        if run is not None:
            yield run
        run = Difference(stream, way, position, position)
    if run is not None:
        yield run
