"""The feed: what was recorded, in the order of the commits, and where to read it. No card, no move and no word of a person is in it.

Sequences rise in the order of the commits, on both databases: whoever has read up to one of them has missed nothing before it.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import NAMES, player, tournament
from domain.journal.storage import Recorder
from domain.upcasts import UPCASTS

StreamKind: TypeAlias = Literal["game", "tournament", "player"]

STRETCH = 10_000
"""Sequences that one look for the events of a name goes through: who looks for a rare one among millions is answered bit by bit."""


class Entry(Struct, frozen=True):
    """An event as the feed tells it. ``id`` is that of its stream; ``at`` is null where it cannot be read.

    Of tournaments and players the id that people use is told as well: it stands in the first event of the stream.
    """

    sequence: int
    kind: StreamKind
    id: UUID
    position: int
    name: str
    at: datetime | None
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET


class Stretch(Struct, frozen=True):
    """A piece of the feed: up to the sequence ``reached`` these entries are all that there are."""

    entries: tuple[Entry, ...]
    reached: int


class _Dated(Struct, frozen=True):
    """As much as the feed reads of what is stored."""

    at: datetime


class _Known(Struct, frozen=True):
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET


class _First(Struct, frozen=True):
    """As much as it reads of the first event of a tournament or player."""

    body: _Known


_DATED = msgspec.json.Decoder(_Dated)
_FIRST = msgspec.json.Decoder(_First)
_NOBODY = _Known()
_TOPICS = (*NAMES.values(), *UPCASTS)


def _stem(topic: str) -> str:
    """The name without its version."""
    return topic.partition("/")[0]


def _named(names: Iterable[str]) -> tuple[str, ...]:
    """These names in all their versions."""
    stems = set(map(_stem, names))
    return tuple(topic for topic in _TOPICS if _stem(topic) in stems)


_OTHERS: dict[StreamKind, tuple[str, ...]] = {
    "tournament": _named(tournament.NAMES.values()),
    "player": _named(player.NAMES.values()),
}
_KINDS: dict[str, StreamKind] = {topic: kind for kind, topics in _OTHERS.items() for topic in topics}


def topics_of(name: str) -> tuple[str, ...]:
    """The stored names that a name stands for: itself, or all versions of it if it has none. Empty if it is not known."""
    return tuple(topic for topic in _TOPICS if name in (topic, _stem(topic)))


def stretch(store: Recorder, kind: StreamKind | None, topics: Sequence[str], after: int, until: int, limit: int) -> Stretch:
    """The entries of a kind (of any) and of these stored names (of all), beyond ``after`` and not beyond ``until``.

    ``until`` is a sequence that was recorded; of entries there are ``limit`` at most.
    """
    filters, values = _filters(kind, topics)
    last = min(until, after + STRETCH) if filters else until
    sql = f"SELECT sequence, originator_id, originator_version, topic, state FROM events WHERE sequence > ? AND sequence <= ?{filters}"
    rows = store.query(f"{sql} ORDER BY sequence LIMIT ?", (after, last, *values, limit))
    known = _known(store, {id for _, id, _, topic, _ in rows if topic in _KINDS})
    entries = tuple(_entry(store, row, known.get(row[1], _NOBODY)) for row in rows)
    return Stretch(entries, entries[-1].sequence if len(entries) == limit else max(after, last))


def _entry(store: Recorder, row: tuple[Any, ...], known: _Known) -> Entry:
    sequence, id, position, topic, state = row
    kind = _KINDS.get(topic, "game")
    return Entry(sequence, kind, store.from_column(id), position, topic, _at(state), known.tournament, known.player)


def _known(store: Recorder, streams: Collection[Any]) -> dict[Any, _Known]:
    """How people call these streams, by their column."""
    if not streams:
        return {}
    sql = f"SELECT originator_id, state FROM events WHERE originator_version = 1 AND originator_id IN ({_marks(streams)})"
    return {id: _called(state) for id, state in store.query(sql, tuple(streams))}


def _called(state: bytes) -> _Known:
    try:
        return _FIRST.decode(state).body
    except (msgspec.DecodeError, UnicodeError):
        return _NOBODY


def _filters(kind: StreamKind | None, topics: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Whatever belongs to nothing else is of a game, also an event of a name that is not known any more."""
    of_kind = _OTHERS[kind] if kind in _OTHERS else tuple(_KINDS) if kind else ()
    sql = f" AND topic {'' if kind in _OTHERS else 'NOT '}IN ({_marks(of_kind)})" if of_kind else ""
    return sql + (f" AND topic IN ({_marks(topics)})" if topics else ""), (*of_kind, *topics)


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _at(state: bytes) -> datetime | None:
    try:
        return _DATED.decode(state).at
    except (msgspec.DecodeError, UnicodeError):
        return None
