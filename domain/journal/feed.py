"""The feed: which events were recorded, in the order of the commits. It holds no card, no move and no text of a person.

On both databases sequences rise in the order of the commits: a reader who has read up to one has missed nothing before it.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import NAMES, player, tournament
from domain.journal.commits import StoredEvent
from domain.journal.store import EventStore
from domain.upcasts import UPCASTS

StreamKind: TypeAlias = Literal["game", "tournament", "player"]

SEARCHED = 10_000
"""How many sequences one search by name looks through. A rare name among millions is found over several pages, none of them slow."""


class FeedEntry(Struct, frozen=True):
    """An event in the feed. ``id`` is that of its stream; ``at`` is null if it cannot be read.

    Events of tournaments and players also name the id that people use; it stands in the first event of the stream.
    """

    sequence: int
    kind: StreamKind
    id: UUID
    position: int
    name: str
    at: datetime | None
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET


class FeedPage(Struct, frozen=True):
    """A page of the feed: up to the sequence ``reached`` these entries are all that there are."""

    entries: tuple[FeedEntry, ...]
    reached: int


class _Dated(Struct, frozen=True):
    """The part of a stored event that the feed decodes."""

    at: datetime


class _Known(Struct, frozen=True):
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET


class _First(Struct, frozen=True):
    """The part that it decodes of the first event of a tournament or player."""

    body: _Known


_DATED = msgspec.json.Decoder(_Dated)
_FIRST = msgspec.json.Decoder(_First)
_NOBODY = _Known()
_TOPICS = (*NAMES.values(), *UPCASTS)  # older versions too: they stay in the store under their old names


def _stem(topic: str) -> str:
    """The name without its version."""
    return topic.partition("/")[0]


def in_all_versions(names: Iterable[str]) -> tuple[str, ...]:
    """These names in all their versions."""
    stems = set(map(_stem, names))
    return tuple(topic for topic in _TOPICS if _stem(topic) in stems)


_OTHERS: dict[StreamKind, tuple[str, ...]] = {
    "tournament": in_all_versions(tournament.NAMES.values()),
    "player": in_all_versions(player.NAMES.values()),
}
_KINDS: dict[str, StreamKind] = {topic: kind for kind, topics in _OTHERS.items() for topic in topics}


def topics_of(name: str) -> tuple[str, ...]:
    """The stored names that a name stands for: itself, or all versions of it if it has none. Empty if it is not known."""
    return tuple(topic for topic in _TOPICS if name in (topic, _stem(topic)))


def feed_page(store: EventStore, kind: StreamKind | None, topics: Collection[str], after: int, until: int, limit: int) -> FeedPage:
    """The entries of a kind (of any) and of these stored names (of all), beyond ``after`` and not beyond ``until``.

    ``until`` is a sequence that was recorded; of entries there are ``limit`` at most.
    """
    names, others = _names(kind, topics)
    last = min(until, after + SEARCHED) if names is not None or others else until
    rows = store.events_after(after, limit, upto=last, names=names, others=others)
    known = {
        id: _first_body(state) for id, state in store.first_states({event.stream for _, event in rows if event.name in _KINDS}).items()
    }
    entries = tuple(_entry(sequence, event, known) for sequence, event in rows)
    return FeedPage(entries, entries[-1].sequence if len(entries) == limit else max(after, last))


def _names(kind: StreamKind | None, topics: Collection[str]) -> tuple[Collection[str] | None, Collection[str]]:
    """Which names are searched for (``None``: all), and which are left out.

    An event that is of no tournament and no player belongs to a game, even if its name is not known any more.
    """
    if kind in _OTHERS:
        return [name for name in _OTHERS[kind] if name in topics or not topics], ()
    return topics or None, tuple(_KINDS) if kind else ()


def _entry(sequence: int, event: StoredEvent, known: Mapping[UUID, _Known]) -> FeedEntry:
    kind = _KINDS.get(event.name, "game")
    first = _NOBODY if kind == "game" else known.get(event.stream, _NOBODY)
    return FeedEntry(sequence, kind, event.stream, event.position, event.name, _at(event.state), first.tournament, first.player)


def _first_body(state: bytes) -> _Known:
    try:
        return _FIRST.decode(state).body
    except (msgspec.DecodeError, UnicodeError):
        return _NOBODY


def _at(state: bytes) -> datetime | None:
    try:
        return _DATED.decode(state).at
    except (msgspec.DecodeError, UnicodeError):
        return None
