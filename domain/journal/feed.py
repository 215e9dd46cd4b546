"""The feed of recorded events, in the order of the commits. It holds no card, no move and no text of a person.

On both databases sequences rise in the order of the commits: a reader who has read up to one has missed nothing before it.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.events import NAMES, UPCASTS, Recorded, player, ratings, series, tournament
from domain.journal.commits import StoredEvent, from_stored
from domain.journal.store import EventStore

StreamKind: TypeAlias = Literal["game", "tournament", "player", "series", "ratings"]

SEARCHED = 10_000
"""The number of sequences that one search looks through. Rare events among millions are found over several pages, none of them slow."""
_PAGE = 1000
_STEP = 500  # events at a time, for a reader who may not know of all


class FeedEntry(Struct, frozen=True):
    """An event in the feed. ``id`` is that of its stream; ``at`` is null if it cannot be read.

    Events of tournaments, players and series also name the id that people use, those of rating lists the ruleset. It stands in the first
    event of the stream.
    """

    sequence: int
    kind: StreamKind
    id: UUID
    position: int
    name: str
    at: datetime | None
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET
    series: str | UnsetType = UNSET
    ruleset: str | UnsetType = UNSET


class StreamMembership(Struct, frozen=True):
    """The membership of a stream, as its first event says: a game or tournament by the id of the tournament, a player or series by
    its own id."""

    kind: StreamKind
    stream: UUID
    tournament: str | None
    player: str | None
    series: str | None = None


Among: TypeAlias = Callable[[Sequence[StreamMembership]], Container[UUID]]
"""Returns those of some streams that a caller may know of, or asks for."""

_Search: TypeAlias = Callable[[int, int], list[tuple[int, StoredEvent]]]
"""Returns events after a sequence, so many at most."""


class FeedPage(Struct, frozen=True):
    """A page of the feed: its entries are all that there are up to the sequence ``reached``."""

    entries: tuple[FeedEntry, ...]
    reached: int


class _Dated(Struct, frozen=True):
    """The part of a stored event that the feed decodes."""

    at: datetime


class StreamOrigin(Struct, frozen=True):
    """The part of the first event of a stream that says where it belongs."""

    tournament: str | None | UnsetType = UNSET
    player: str | UnsetType = UNSET
    series: str | UnsetType = UNSET
    ruleset: str | UnsetType = UNSET
    round: int | None = None
    table: str | None = None


class _First(Struct, frozen=True):
    """The part of the first event of a stream that the feed decodes."""

    body: StreamOrigin


_DATED = msgspec.json.Decoder(_Dated)
_FIRST = msgspec.json.Decoder(_First)
_NOBODY = StreamOrigin()
_TOPICS = (*NAMES.values(), *UPCASTS)  # older versions too: they stay in the store under their old names


def _stem(topic: str) -> str:
    """Return the name without its version."""
    return topic.partition("/")[0]


EVENT_NAMES = tuple(dict.fromkeys(name for topic in sorted(_TOPICS) for name in (_stem(topic), topic)))
"""All names that ``topics_of`` knows."""


def in_all_versions(names: Iterable[str]) -> tuple[str, ...]:
    """Return these names in all their versions."""
    stems = set(map(_stem, names))
    return tuple(topic for topic in _TOPICS if _stem(topic) in stems)


def list_events_of_kinds(store: EventStore, *kinds: type) -> Iterator[tuple[int, Recorded]]:
    """Yield all events of these kinds with their sequences, in the order of the commits."""
    names, after = in_all_versions(NAMES[kind] for kind in kinds), 0
    while page := store.events_after(after, _PAGE, names=names):
        yield from ((sequence, from_stored(event)) for sequence, event in page)
        after = page[-1][0]


_OTHERS: dict[StreamKind, tuple[str, ...]] = {
    "tournament": in_all_versions(tournament.NAMES.values()),
    "player": in_all_versions(player.NAMES.values()),
    "series": in_all_versions(series.NAMES.values()),
    "ratings": in_all_versions(ratings.NAMES.values()),
}
_KINDS: dict[str, StreamKind] = {topic: kind for kind, topics in _OTHERS.items() for topic in topics}


def topics_of(name: str) -> tuple[str, ...]:
    """Return the stored names that a name stands for: itself, or all versions of it if it has none. Empty if it is not known."""
    return tuple(topic for topic in _TOPICS if name in (topic, _stem(topic)))


def of_tournament(tournament: str) -> Among:
    """Return a filter for the tournament's own stream and those of all its games. A game says in its first event where it belongs, and
    stays there.
    """
    return lambda streams: {one.stream for one in streams if one.tournament == tournament}


def both(one: Among | None, other: Among | None) -> Among | None:
    """Return a filter for what both let through; ``None`` lets everything through."""
    if one is None or other is None:
        return one or other
    return lambda streams: _of_both(one, other, streams)


def _of_both(one: Among, other: Among, streams: Sequence[StreamMembership]) -> Container[UUID]:
    through = one(streams)
    return other([each for each in streams if each.stream in through])


def feed_page(
    store: EventStore,
    kind: StreamKind | None,
    topics: Collection[str],
    after: int,
    until: int,
    limit: int,
    *,
    game: UUID | None = None,
    among: Among | None = None,
) -> FeedPage:
    """Return the entries of a kind (of any) and of these stored names (of all), beyond ``after`` and not beyond ``until``. ``game``: of one
    game, read by its own events. ``among``: only of the streams that it lets through.

    ``until`` is a sequence that was recorded; there are at most ``limit`` entries.
    """
    rows, reached = feed_rows(store, kind, topics, after, until, limit, game=game, among=among)
    known = find_stream_origins(store, {event.stream for _, event in rows if event.name in _KINDS})
    return FeedPage(tuple(_entry(sequence, event, known) for sequence, event in rows), reached)


def feed_rows(
    store: EventStore,
    kind: StreamKind | None,
    topics: Collection[str],
    after: int,
    until: int,
    limit: int,
    *,
    game: UUID | None = None,
    among: Among | None = None,
) -> tuple[list[tuple[int, StoredEvent]], int]:
    """Return the same events as they are stored, and the sequence up to which these are all."""
    if game is not None and kind not in (None, "game"):
        return [], max(after, until)
    names, others = _names(kind if game is None else "game", topics)
    # A filtered search is bounded, so that no page is slow; a search without filters finds an entry at every sequence.
    last = min(until, after + SEARCHED) if game is None and (names is not None or others or among) else until
    search = partial(store.events_after, upto=last, names=names, others=others, stream=game)
    rows = search(after, limit) if among is None else list(islice(_filter(store, search, after, last, among), limit))
    return rows, rows[-1][0] if len(rows) == limit else max(after, last)


def _filter(store: EventStore, search: _Search, after: int, last: int, among: Among) -> Iterator[tuple[int, StoredEvent]]:
    place = after
    while place < last:
        some = search(place, _STEP)
        known = find_stream_origins(store, {event.stream for _, event in some})
        kinds = {event.stream: _KINDS.get(event.name, "game") for _, event in some}
        through = among([_membership(kind, stream, known.get(stream, _NOBODY)) for stream, kind in kinds.items()])
        yield from (row for row in some if row[1].stream in through)
        place = some[-1][0] if len(some) == _STEP else last


def _membership(kind: StreamKind, stream: UUID, first: StreamOrigin) -> StreamMembership:
    return StreamMembership(kind, stream, first.tournament or None, first.player or None, first.series or None)


def find_stream_origins(store: EventStore, streams: Collection[UUID]) -> dict[UUID, StreamOrigin]:
    """Return the beginnings of those of the streams that are there."""
    return {id: _origin(state) for id, state in store.first_states(streams).items()}


def _names(kind: StreamKind | None, topics: Collection[str]) -> tuple[Collection[str] | None, Collection[str]]:
    """Return the names that are searched for (``None``: all), and those that are left out.

    An event of no other kind belongs to a game, even if its name is not known any more.
    """
    if kind in _OTHERS:
        return [name for name in _OTHERS[kind] if name in topics or not topics], ()
    return topics or None, tuple(_KINDS) if kind else ()


def _entry(sequence: int, event: StoredEvent, known: Mapping[UUID, StreamOrigin]) -> FeedEntry:
    kind = _KINDS.get(event.name, "game")
    first = _NOBODY if kind == "game" else known.get(event.stream, _NOBODY)
    place = (event.stream, event.position, event.name, _at(event.state))
    ruleset = first.ruleset if kind == "ratings" else UNSET
    return FeedEntry(sequence, kind, *place, UNSET if first.tournament is None else first.tournament, first.player, first.series, ruleset)


def _origin(state: bytes) -> StreamOrigin:
    try:
        # an event that cannot be read stays in the feed, without what it would say of its stream
        return _FIRST.decode(state).body
    except (msgspec.DecodeError, UnicodeError):
        return _NOBODY


def _at(state: bytes) -> datetime | None:
    try:
        # the same for its time
        return _DATED.decode(state).at
    except (msgspec.DecodeError, UnicodeError):
        return None
