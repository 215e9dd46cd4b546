"""Tournament tables for score lines: which have a result that counts instead of their games, and between which sequences."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.errors import DataIntegrityError
from domain.events import Recorded
from domain.events.played import parse_time_at_table
from domain.events.tournament import NAMES as TOURNAMENT_EVENTS
from domain.events.tournament import (
    EntryAccepted,
    EntryChanged,
    EntryCorrected,
    PairingChanged,
    PairingWithdrawn,
    ResultEntered,
    TableForfeited,
)
from domain.tournament.games import PersonOf
from domain.tournament.state import ResultEvent
from domain.tournament.tournament import Tournament, fold_event, tournament_stream
from projections.engine.store import Batch, Transaction, rows_by_ids
from projections.models.score_lines.entered_results import TableResult, rests_on_games, result_of
from projections.models.table_games import TableGameState, has_table_effect, table_game_after
from projections.values import as_json, microseconds, to_stored_value

Key: TypeAlias = tuple[str, int, str]
"""A table: tournament, round and name."""

TABLES = {
    "score_tournaments": ("CREATE TABLE score_tournaments (stream TEXT PRIMARY KEY, position BIGINT NOT NULL, state TEXT NOT NULL)",),
    "score_seated": ("CREATE TABLE score_seated (player TEXT NOT NULL, tournament TEXT NOT NULL, PRIMARY KEY (player, tournament))",),
    "score_table_games": (
        """CREATE TABLE score_table_games (
    game TEXT PRIMARY KEY,
    tournament TEXT NOT NULL,
    round BIGINT NOT NULL,
    table_name TEXT NOT NULL,
    state TEXT NOT NULL
)""",
        "CREATE INDEX score_table_games_table ON score_table_games (tournament, round, table_name)",
    ),
    "score_tables": (
        """CREATE TABLE score_tables (
    tournament TEXT NOT NULL,
    round BIGINT NOT NULL,
    table_name TEXT NOT NULL,
    opened BIGINT NOT NULL,
    played_at BIGINT,
    result TEXT,
    PRIMARY KEY (tournament, round, table_name)
)""",
    ),
}
_TOURNAMENTS = "SELECT state FROM score_tournaments WHERE stream IN"
_KEEP_TOURNAMENT = (
    "INSERT INTO score_tournaments (stream, position, state) VALUES (?, ?, ?)"
    " ON CONFLICT (stream) DO UPDATE SET position = excluded.position, state = excluded.state"
)
_SEATED = "INSERT INTO score_seated (player, tournament) VALUES (?, ?) ON CONFLICT DO NOTHING"
_WHERE_SEATED = "SELECT DISTINCT tournament FROM score_seated WHERE player IN"
_GAMES = "SELECT game, state FROM score_table_games WHERE game IN"
_GAMES_OF = "SELECT game, state FROM score_table_games WHERE tournament = ? AND round = ? AND table_name = ?"
_KEEP_GAME = (
    "INSERT INTO score_table_games (game, tournament, round, table_name, state) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (game) DO UPDATE SET state = excluded.state"
)
_RESULTS = "SELECT tournament, round, table_name, opened, played_at, result FROM score_tables WHERE tournament IN"
_KEEP_RESULT = (
    "INSERT INTO score_tables (tournament, round, table_name, opened, played_at, result) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tournament, round, table_name) DO UPDATE SET played_at = excluded.played_at, result = excluded.result"
)
_TOURNAMENT = msgspec.json.Decoder(Tournament)
_GAME = msgspec.json.Decoder(TableGameState)
_RESULT = msgspec.json.Decoder(TableResult)


class EnteredTable(Struct, frozen=True):
    """A table with an entered result. ``opened`` is the sequence of the first entry; ``result`` is the one that counts now."""

    opened: int
    played_at: int | None
    result: TableResult | None = None


class ResultChange(Struct, frozen=True):
    """A table has another result from now on, or none. ``games`` are the openings of its games."""

    key: Key
    ruleset: str
    opened: int
    before: TableResult | None
    after: TableResult | None
    games: tuple[int, ...]


class TableResults:
    """The tournaments, games and tables of one batch. Further ones are read on demand."""

    def __init__(self, tx: Transaction, batch: Batch) -> None:
        self._tx = tx
        bearing = [str(one.stream) for _, one in batch if one.position > 1 and has_table_effect(one)]
        self._games = {game: _GAME.decode(state) for game, state in rows_by_ids(tx, _GAMES, tuple(dict.fromkeys(bearing)))}
        self._known_games = dict(self._games)
        self._tournaments: dict[str, Tournament | None] = {}
        self._load_tournaments({str(one.stream) for _, one in batch if type(one.event) in TOURNAMENT_EVENTS})
        self._known_tournaments = dict(self._tournaments)
        self._tables: dict[str, dict[Key, EnteredTable]] = {}
        self._changed: set[Key] = set()
        self._seated: set[tuple[str, str]] = set()

    # State

    def has_other_result(self, game: str) -> bool:
        """Return whether the table of a game has a result that counts instead."""
        state = self._games.get(game)
        return state is not None and self._result_at(_key(state)) is not None

    def _result_at(self, key: Key) -> TableResult | None:
        found = self._tables_of(key[0]).get(key)
        return found.result if found else None

    def _tables_of(self, tournament: str) -> dict[Key, EnteredTable]:
        if tournament not in self._tables:
            rows = rows_by_ids(self._tx, _RESULTS, (tournament,))
            self._tables[tournament] = {
                (row[0], row[1], row[2]): EnteredTable(row[3], row[4], _RESULT.decode(row[5]) if row[5] else None) for row in rows
            }
        return self._tables[tournament]

    def _tournament(self, id: str) -> Tournament | None:
        stream = str(tournament_stream(id))
        if stream not in self._tournaments:
            self._tournaments[stream] = None
            self._load_tournaments({stream})
            self._known_tournaments[stream] = self._tournaments[stream]
        return self._tournaments[stream]

    def _load_tournaments(self, streams: set[str]) -> None:
        for (state,) in rows_by_ids(self._tx, _TOURNAMENTS, sorted(streams)):
            found = _TOURNAMENT.decode(state)
            self._tournaments[str(found.id)] = found

    def _games_at(self, key: Key) -> dict[str, TableGameState]:
        stored = {game: _GAME.decode(state) for game, state in self._tx.query(_GAMES_OF, key)}
        here = {game: state for game, state in self._games.items() if _key(state) == key}
        return {**stored, **here}

    # Events

    def note_game(self, sequence: int, recorded: Recorded) -> bool:
        """Return whether the event bears on a table. To be called before its lines are written; then ``of_game`` after that."""
        game = str(recorded.stream)
        before = self._games.get(game)
        if (before is None and recorded.position > 1) or not has_table_effect(recorded):
            return False
        state = table_game_after(before, sequence, recorded)
        if state is None:
            return False
        self._games[game] = state
        self._seat(state.tournament, state.seats.players)
        return True

    def of_game(self, sequence: int, game: str, person_of: PersonOf) -> Iterator[ResultChange]:
        """Yield the changes after an event that bears on the table of a game."""
        key = _key(self._games[game])
        if key in self._tables_of(key[0]):
            yield from self._compute_changes(sequence, key, person_of)

    def of_tournament(self, sequence: int, recorded: Recorded, person_of: PersonOf) -> Iterator[ResultChange]:
        """Yield the changes after an event of a tournament. One whose announcement could not be read has no results here."""
        stream, event = str(recorded.stream), recorded.event
        try:
            now = fold_event(self._tournaments.get(stream), recorded)
        except DataIntegrityError:
            return
        self._tournaments[stream] = now = replace(now, last=b"")
        id = to_stored_value(now.plan.tournament)
        if isinstance(event, EntryAccepted | EntryChanged | EntryCorrected):
            self._seat(id, event.players)
        for key in list(self._list_changed_tables(id, sequence, recorded)):
            yield from self._compute_changes(sequence, key, person_of)

    def of_person(self, sequence: int, ids: Iterable[str], person_of: PersonOf) -> Iterator[ResultChange]:
        """Yield the changes after some ids became one person, or no longer are one: a result of the sides counts only where the games do
        not.
        """
        # Written first, because the query below reads the tables.
        self.keep()
        for (tournament,) in rows_by_ids(self._tx, _WHERE_SEATED, tuple(ids)):
            now = self._tournament(tournament)
            for key in list(self._tables_of(tournament)):
                if now is not None and rests_on_games(now, key[1], key[2]):
                    yield from self._compute_changes(sequence, key, person_of)

    def _list_changed_tables(self, id: str, sequence: int, recorded: Recorded) -> Iterator[Key]:
        """Yield the tables whose result the event may change."""
        event, tables = recorded.event, self._tables_of(id)
        if isinstance(event, ResultEvent):
            key = (id, to_stored_value(event.round), to_stored_value(event.table))
            if isinstance(event, ResultEntered | TableForfeited):
                self._enter(sequence, key, recorded)
            yield from [key] if key in tables else []
        elif isinstance(event, PairingWithdrawn | PairingChanged | EntryChanged | EntryCorrected):
            yield from tables

    def _enter(self, sequence: int, key: Key, recorded: Recorded) -> None:
        """Note an entered result. A correction does not change the time of play, unless it states one."""
        tables, said = self._tables_of(key[0]), parse_time_at_table(recorded)
        known = tables.get(key, EnteredTable(sequence, None))
        at = known.played_at if said is None else microseconds(said)
        tables[key] = replace(known, played_at=microseconds(recorded.stamp.at) if at is None else at)
        self._changed.add(key)

    def _compute_changes(self, sequence: int, key: Key, person_of: PersonOf) -> Iterator[ResultChange]:
        tournament, round, name = key
        known, now = self._tables_of(tournament)[key], self._tournament(tournament)
        games = self._games_at(key)
        seen = [state.as_table_game(UUID(game), sequence) for game, state in games.items()]
        result = None if now is None else result_of(now, round, name, seen, person_of, known.played_at or 0)
        if now is not None and result is not None:  # once counted to a month it stays there
            result = replace(result, zone=known.result.zone if known.result else now.time_zone)
        if now is not None and len(now.rounds) < round:
            known = replace(known, played_at=None)  # unpaired: the next players there play at another time
        self._tables_of(tournament)[key] = replace(known, result=result)
        self._changed.add(key)
        if result != known.result:
            ruleset = now.plan.ruleset if now else ""
            yield ResultChange(key, ruleset, known.opened, known.result, result, tuple(sorted(state.opened for state in games.values())))

    def _seat(self, tournament: str, players: Iterable[str | None]) -> None:
        self._seated |= {(to_stored_value(player), tournament) for player in players if player is not None}

    def keep(self) -> None:
        tx = self._tx
        changed = {stream: now for stream, now in self._tournaments.items() if now is not self._known_tournaments.get(stream) and now}
        tx.run_many(_KEEP_TOURNAMENT, [(stream, now.position, as_json(now)) for stream, now in changed.items()])
        games = {game: state for game, state in self._games.items() if state is not self._known_games.get(game)}
        tx.run_many(_KEEP_GAME, [(game, *_key(state), as_json(state)) for game, state in games.items()])
        tables = [(key, self._tables[key[0]][key]) for key in sorted(self._changed)]
        tx.run_many(_KEEP_RESULT, [(*key, one.opened, one.played_at, one.result and as_json(one.result)) for key, one in tables])
        tx.run_many(_SEATED, sorted(self._seated))
        self._known_tournaments, self._known_games = dict(self._tournaments), dict(self._games)
        self._changed.clear()
        self._seated.clear()


def _key(state: TableGameState) -> Key:
    return state.tournament, state.round, state.table
