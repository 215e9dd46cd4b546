"""SQL that reads events, and the event store that both databases share."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from operator import itemgetter
from uuid import UUID

from deploy.stores import registers
from deploy.stores.epochs import EpochsSql
from deploy.stores.log import LogSql
from deploy.stores.sessions import SessionsSql, TokensSql
from deploy.stores.statements import placeholders
from deploy.stores.webhooks import WebhooksSql
from domain.events import player, ratings, series, tournament
from domain.journal.commits import Commit, CommitOutcome, StoredEvent
from domain.journal.epochs import Line
from domain.journal.feed import StreamKind
from domain.journal.store import EventStore, StoredStream

_KINDS: dict[StreamKind, tuple[str, ...]] = {
    "tournament": tuple(tournament.NAMES.values()),
    "player": tuple(player.NAMES.values()),
    "series": tuple(series.NAMES.values()),
    "ratings": tuple(ratings.NAMES.values()),
}
_OTHERS = tuple(name for names in _KINDS.values() for name in names)
_STREAM = (
    "SELECT originator_version, topic, state FROM events"
    " WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
_AFTER = "SELECT sequence, originator_id, originator_version, topic, state FROM events WHERE sequence > ? AND sequence <= ?"
_IN_STREAM = " AND originator_id = ? ORDER BY originator_version"
"""Order by position, which within a stream is the order of the commits. Ordered by sequence, a database would scan all streams."""
_LAST_POSITION, _LAST_SEQUENCE = 2**31 - 1, 2**63 - 1  # the highest that PostgreSQL's columns can hold
_GAMES = f"SELECT originator_id FROM events WHERE topic NOT IN ({placeholders(_OTHERS)}) GROUP BY originator_id ORDER BY min(sequence)"
_COUNTS = ", ".join(f"count(CASE WHEN topic IN ({placeholders(names)}) THEN 1 END)" for names in _KINDS.values())
_STREAMS = f"SELECT originator_id, {_COUNTS}, count(*) FROM events GROUP BY originator_id ORDER BY min(sequence)"
_SEQUENCES = "SELECT sequence FROM events WHERE originator_id = ? ORDER BY originator_version"
_FIRST = "SELECT originator_id, state FROM events WHERE originator_version = 1 AND originator_id IN "


def _kind_of(counts: Sequence[int]) -> StreamKind:
    """Return the kind of a stream by the numbers of its events of each kind, and in all."""
    *own, all = counts
    return next((kind for kind, count in zip(_KINDS, own, strict=True) if 2 * count >= all), "game")


class SqlEventStore(
    EpochsSql,
    registers.RegistersSql,
    registers.PlayersSql,
    registers.BoardsSql,
    registers.ShufflesSql,
    registers.OriginsSql,
    registers.LooksSql,
    TokensSql,
    SessionsSql,
    registers.WallsSql,
    LogSql,
    WebhooksSql,
    registers.SnapshotsSql,
    EventStore,
):
    """Event store without connections, transactions and appending, which each database implements."""

    def __init__(self) -> None:
        super().__init__()
        self._arrivals = registers.StoreHeads(self.head)

    def announce(self, line: Line, commits: Sequence[Commit], outcomes: Sequence[CommitOutcome]) -> None:
        """Wake the waiting readers once these commits are stored. ``line`` is the epoch that was present when they were sent."""
        stored = [(outcome[-1], commit.events[-1]) for commit, outcome in zip(commits, outcomes, strict=True) if isinstance(outcome, tuple)]
        if stored:
            sequence, event = max(stored, key=itemgetter(0))
            line.note_event(sequence, event)
            self._arrivals.announce(sequence)

    def on_news(self, heard: Callable[[], object]) -> None:
        self._arrivals.on_news(heard)

    def reset_heads(self) -> None:
        self._arrivals.forget()

    def wait_for(self, after: int, timeout: float) -> bool:
        return self._arrivals.wait(after, timeout)

    def select_events(self, stream: UUID, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        some = "" if limit is None else f" LIMIT {int(limit)}"
        rows = self.query(f"{_STREAM}{some}", (self.to_column(stream), after, _LAST_POSITION if upto is None else upto))
        return [StoredEvent(stream, position, name, state) for position, name, state in rows]

    def events_after(
        self,
        sequence: int,
        limit: int,
        *,
        upto: int | None = None,
        names: Collection[str] | None = None,
        others: Collection[str] = (),
        stream: UUID | None = None,
    ) -> list[tuple[int, StoredEvent]]:
        if names is not None and not names:
            return []
        chosen = f" AND topic NOT IN ({placeholders(others)})" if others else ""
        chosen += f" AND topic IN ({placeholders(names)})" if names else ""
        chosen += " ORDER BY sequence" if stream is None else _IN_STREAM
        last = _LAST_SEQUENCE if upto is None else upto
        one = () if stream is None else (self.to_column(stream),)
        line = self.line
        rows = self.query(f"{_AFTER}{chosen} LIMIT ?", (sequence, last, *others, *(names or ()), *one, limit))
        id_of = cache(self.from_column)  # events of a game are adjacent, and building a UUID costs as much as reading the row
        found = [(number, StoredEvent(id_of(id), position, name, state)) for number, id, position, name, state in rows]
        if found:
            line.note_event(*found[-1])
        return found

    def first_states(self, streams: Collection[UUID]) -> dict[UUID, bytes]:
        if not streams:
            return {}
        rows = self.query(f"{_FIRST}({placeholders(streams)})", [self.to_column(stream) for stream in streams])
        return {self.from_column(id): state for id, state in rows}

    def select_sequences(self, stream: UUID) -> list[int]:
        return [sequence for (sequence,) in self.query(_SEQUENCES, (self.to_column(stream),))]

    def streams(self) -> list[StoredStream]:
        rows = self.query(_STREAMS, _OTHERS)
        return [StoredStream(self.from_column(id), _kind_of(counts), counts[-1]) for id, *counts in rows]

    def games(self) -> list[UUID]:
        return [self.from_column(id) for (id,) in self.query(_GAMES, _OTHERS)]
