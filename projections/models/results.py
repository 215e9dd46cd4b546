"""Results of the games of tournaments, now and at every earlier moment: a row for each change of a result.

A row is valid from the event ``since`` up to, and without, the event ``until``; the newest has none. Rows are written only where a result
may change, so that a move costs nothing here. Games that name no tournament, round and table are left out.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from domain.events import Recorded
from domain.events.game import GameOpened
from domain.score import totals
from domain.tournament.games import TableGame
from projections.engine.store import Batch, Params, Projection, Row, Store, Transaction, by_game, placeholders, rows_by_ids
from projections.models.reading import struct_of
from projections.models.table_games import TableGameState, has_table_effect, table_game_after
from projections.values import as_json, microseconds

_ROWS = """CREATE TABLE results (
    game TEXT NOT NULL,
    since BIGINT NOT NULL,
    since_at BIGINT NOT NULL,
    until BIGINT,
    until_at BIGINT,
    tournament TEXT NOT NULL,
    round BIGINT NOT NULL,
    table_name TEXT NOT NULL,
    opened BIGINT NOT NULL,
    ruleset TEXT NOT NULL,
    options TEXT NOT NULL,
    players TEXT NOT NULL,
    parties TEXT NOT NULL,
    totals TEXT NOT NULL,
    places TEXT,
    standing TEXT NOT NULL,
    seated TEXT NOT NULL,
    PRIMARY KEY (game, since)
)"""
_INDEX = "CREATE INDEX results_tournament ON results (tournament, round, since)"
_STATES = "CREATE TABLE result_states (game TEXT PRIMARY KEY, state TEXT NOT NULL)"

_RESULT = "tournament, round, table_name, opened, ruleset, options, players, parties, totals, places, standing, seated"
_INSERT = f"INSERT INTO results (game, since, since_at, until, until_at, {_RESULT}) VALUES ({placeholders(17)})"
_END = "UPDATE results SET until = ?, until_at = ? WHERE game = ? AND until IS NULL"
_STATE_OF = "SELECT game, state FROM result_states WHERE game IN"
_KEEP = "INSERT INTO result_states (game, state) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET state = excluded.state"


def _columns(state: TableGameState) -> tuple[Any, ...]:
    """Return the columns of ``_RESULT``."""
    setup, score = state.setup, state.score
    place = (state.tournament, state.round, state.table, state.opened, setup.ruleset, as_json(setup.options))
    places = None if score.places is None else as_json(score.places)
    sums = (as_json(state.seats.players), as_json(setup.parties), as_json(totals(setup, score)), places, state.docket.standing)
    return (*place, *sums, as_json(state.seated))


_STATE = msgspec.json.Decoder(TableGameState)
_Events: TypeAlias = list[tuple[int, Recorded]]


def _apply(tx: Transaction, batch: Batch) -> None:
    games = by_game([one for one in batch if has_table_effect(one[1])])
    known = _read_states(tx, [game for game, events in games.items() if not isinstance(events[0][1].event, GameOpened)])
    ends: list[Params] = []
    rows: list[Params] = []
    for game, events in games.items():
        changes = _changes(known, game, events)
        ends += [(*changes[0][0], game)] if changes else []
        later = [*(when for when, _ in changes[1:]), (None, None)]
        rows += [(game, *when, *until, *columns) for (when, columns), until in zip(changes, later, strict=True)] if changes else []
    tx.run_many(_END, ends)
    tx.run_many(_INSERT, rows)
    tx.run_many(_KEEP, [(game, as_json(known[game])) for game in games if game in known])


def _read_states(tx: Transaction, games: Sequence[str]) -> dict[str, TableGameState]:
    return {str(game): _STATE.decode(str(state)) for game, state in rows_by_ids(tx, _STATE_OF, games)}


_Change: TypeAlias = tuple[tuple[int, int], tuple[Any, ...]]
"""Sequence and moment of a change, and the columns from then on."""


def _changes(known: dict[str, TableGameState], game: str, events: _Events) -> list[_Change]:
    """Fold the events into ``known``. Return the changes of the game's result."""
    changes: list[_Change] = []
    for sequence, recorded in events:
        before = known.get(game)
        after = table_game_after(before, sequence, recorded)
        if after is None:
            continue
        known[game] = after
        if before is None or _columns(before) != _columns(after):
            changes.append(((sequence, microseconds(recorded.stamp.at)), _columns(after)))
    return changes


_KNOWN = "SELECT game, 1 FROM result_states"

RESULTS = Projection(
    name="results",
    version=3,
    tables={"results": (_ROWS, _INDEX), "result_states": (_STATES,)},
    apply=_apply,
    known=_KNOWN,
    plain_moves=False,
)


# The games of a tournament from the projection of results: as they stand, or as they stood.


_SELECT = (
    "SELECT game, opened, since, round, table_name, ruleset, options, players, parties, totals, places, standing, seated"
    " FROM results WHERE tournament = ?"
)
_NOW = "until IS NULL"
_AFTER = "since <= ? AND (until IS NULL OR until > ?)"
_AT = "since_at <= ? AND (until_at IS NULL OR until_at > ?)"


def results(
    store: Store, tournament: str, *, round: int | None = None, sequence: int | None = None, at: datetime | None = None
) -> tuple[TableGame, ...]:
    """Return the games of a tournament, or of one of its rounds, oldest first: as they stand, or as they stood after the event of a
    sequence or at a moment.
    """
    conditions: dict[str, tuple[Any, ...]] = {_NOW: ()}
    if sequence is not None:
        conditions = {_AFTER: (sequence, sequence)}
    elif at is not None:
        conditions = {_AT: (microseconds(at), microseconds(at))}
    if round is not None:
        conditions["round = ?"] = (round,)
    where = "".join(f" AND {condition}" for condition in conditions)
    values = (value for given in conditions.values() for value in given)
    return tuple(_game(row) for row in store.query(f"{_SELECT}{where} ORDER BY opened", (tournament, *values)))


def latest_changes(store: Store, tournaments: Sequence[str]) -> dict[str, int]:
    """Return the sequence of the newest change of a result in each tournament; 0 where no game names it. Every change adds a row."""
    if not tournaments:
        return {}
    chosen = f"tournament IN ({placeholders(len(tournaments))}) GROUP BY tournament"
    return dict.fromkeys(tournaments, 0) | dict(store.query(f"SELECT tournament, MAX(since) FROM results WHERE {chosen}", tournaments))


def _game(row: Row) -> TableGame:
    return struct_of(TableGame, row, ("options", "players", "parties", "totals", "places", "seated"))
