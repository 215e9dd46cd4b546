"""Audits of stored streams: load a stream with its sequences, its texts and the streams that it depends on, and audit it.

Snapshots of a game are audited too. Everything is read from the store each time, never from a cache or a projection. An ``AuditRunner``
blocks.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from uuid import UUID

from domain.errors import Unknown
from domain.events import Recorded
from domain.events.base import TextRef
from domain.events.game import GameOpened
from domain.events.player import PlayerMerged, PlayerRegistered, PlayerSeparated
from domain.free_texts import text_matches
from domain.journal.commits import from_stored
from domain.journal.feed import list_events_of_kinds
from domain.journal.snapshots import read_snapshots
from domain.journal.store import EventStore
from domain.player import player_stream
from domain.tournament.tournament import tournament_stream
from replay.audit import audit
from replay.audit_result import Audit, StoredContext, StreamAudit, Words
from replay.editions import Editions
from replay.rating_lists import audit_rating_lists
from replay.streams import audit_player, audit_series
from replay.table_games import Change, Merger, RecordedContext, table_games
from replay.tournaments import audit_tournament


class AuditRunner:
    """Audits games, tournaments, players and series. The games of tournaments and the merged players are looked up once for all audits of
    one auditor.
    """

    def __init__(self, store: EventStore, editions: Editions) -> None:
        self._store = store
        self._editions = editions

    def game(self, id: UUID) -> Audit:
        """Audit a game. Raises ``Unknown``."""
        return audit(self._read_history("game", id), self._editions, self._stored_context(id, snapshots=True))

    def tournament(self, stream: UUID) -> StreamAudit:
        """Audit a tournament. Raises ``Unknown``."""
        history = self._read_history("tournament", stream)
        return audit_tournament(
            history, self._editions, self._stored_context(stream), RecordedContext(self._games_of(stream), self._merge_events)
        )

    def player(self, stream: UUID) -> StreamAudit:
        """Audit a player. Raises ``Unknown``."""
        history = self._read_history("player", stream)
        return audit_player(history, lambda player: self._history(player_stream(player)), self._stored_context(stream))

    def series(self, stream: UUID) -> StreamAudit:
        """Audit a series. Raises ``Unknown``."""
        return audit_series(self._read_history("series", stream), self._stored_context(stream))

    def rating_lists(self, stream: UUID) -> StreamAudit:
        """Audit the rating lists of a ruleset. Raises ``Unknown``."""
        return audit_rating_lists(self._read_history("rating_list", stream), self._stored_context(stream))

    def _read_history(self, kind: str, stream: UUID) -> list[Recorded]:
        history = self._history(stream)
        if not history:
            raise Unknown(kind, stream)
        return history

    def _history(self, stream: UUID) -> list[Recorded]:
        return [from_stored(event) for event in self._store.select_events(stream)]

    def _stored_context(self, stream: UUID, *, snapshots: bool = False) -> StoredContext:
        kept = read_snapshots(self._store, stream) if snapshots else {}
        return StoredContext(self._store.select_sequences(stream), self._words, kept)

    def _words(self, ref: TextRef) -> Words:
        words = self._store.find_text(ref.id)
        if words is None:
            return "erased" if self._store.has_text(ref.id) else "missing"
        return "as_said" if text_matches(ref.digest, words) else "others"

    def _games_of(self, stream: UUID) -> list[Change]:
        found: list[Change] = []
        for game in self._games.get(stream, ()):
            found += table_games(zip(self._store.select_sequences(game), self._history(game), strict=False))
        return found

    @cached_property
    def _games(self) -> Mapping[UUID, Collection[UUID]]:
        """The ids of the games, by the stream of their tournament."""
        found: defaultdict[UUID, list[UUID]] = defaultdict(list)
        for _, recorded in list_events_of_kinds(self._store, GameOpened):
            if isinstance(recorded.event, GameOpened) and recorded.event.tournament is not None:
                found[tournament_stream(recorded.event.tournament)].append(recorded.stream)
        return found

    @cached_property
    def _merge_events(self) -> list[Merger]:
        events = [*list_events_of_kinds(self._store, PlayerMerged, PlayerSeparated)]
        names: dict[UUID, str] = {}
        for stream in {recorded.stream for _, recorded in events}:
            for one in self._store.select_events(stream, limit=1):
                first = from_stored(one).event
                names[stream] = first.player if isinstance(first, PlayerRegistered) else str(stream)
        return [
            Merger(sequence, one.stamp.at, names[one.stream], one.event.into if isinstance(one.event, PlayerMerged) else None)
            for sequence, one in events
        ]
