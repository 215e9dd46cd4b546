"""The games of a tournament from the projection of results: as they stand, or as they stood."""

from datetime import datetime
from typing import Any

from domain.tournament.games import TableGame
from projections.engine.store import Row, Store
from projections.models.reading import struct_of
from projections.values import microseconds

_SELECT = (
    "SELECT game, opened, since, round, table_name, ruleset, options, players, parties, totals, places, standing"
    " FROM results WHERE tournament = ?"
)
_NOW = "until IS NULL"
_AFTER = "since <= ? AND (until IS NULL OR until > ?)"
_AT = "since_at <= ? AND (until_at IS NULL OR until_at > ?)"


def results(
    store: Store, tournament: str, *, round: int | None = None, sequence: int | None = None, at: datetime | None = None
) -> tuple[TableGame, ...]:
    """The games of a tournament, or of one of its rounds, oldest first: as they stand, or as they stood after the event of a sequence
    or at a moment."""
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


def _game(row: Row) -> TableGame:
    return struct_of(TableGame, row, ("options", "players", "parties", "totals", "places"))
