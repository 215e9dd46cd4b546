"""The directory without names: who is registered, in which club, and which ids are one person."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from domain.events import PlayerEvent, Recorded
from domain.events.player import (
    PlayerErased,
    PlayerMerged,
    PlayerRegistered,
    PlayerSeparated,
    PlayerTransferred,
)
from projections.cursors import cursor_of, place_of
from projections.game_index import microseconds, moment, storable
from projections.projection import Batch, Projection
from projections.store import Row, Store, Tx, marks

_TABLES: dict[str, tuple[str, ...]] = {
    "players": (
        """CREATE TABLE players (
    stream TEXT PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    registered BIGINT NOT NULL UNIQUE,
    registered_at BIGINT NOT NULL,
    club TEXT,
    merged_into TEXT,
    root TEXT NOT NULL,
    erased INTEGER NOT NULL,
    position BIGINT NOT NULL,
    sequence BIGINT NOT NULL
)""",
        "CREATE INDEX players_club ON players (club, registered)",
        "CREATE INDEX players_root ON players (root)",
        "CREATE INDEX players_merged_into ON players (merged_into)",
    )
}
_COLUMNS = "player, registered, registered_at, club, merged_into, root, erased, position, sequence"
_REGISTER = f"INSERT INTO players (stream, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL, ?, 0, 1, ?) ON CONFLICT DO NOTHING"
_GO_ON = "UPDATE players SET position = ?, sequence = ? WHERE stream = ?"
_TRANSFER = "UPDATE players SET club = ? WHERE stream = ?"
_MERGE = "UPDATE players SET merged_into = ? WHERE stream = ?"
_ERASE = "UPDATE players SET erased = 1 WHERE stream = ?"
_ROOT = "SELECT root FROM players WHERE player = ?"
_SELF = "SELECT player FROM players WHERE stream = ?"
# UNION and not UNION ALL: damaged history may hold a circle, and this ends there all the same.
_REROOT = """UPDATE players SET root = ? WHERE player IN (
    WITH RECURSIVE under (player) AS (
        SELECT player FROM players WHERE stream = ?
        UNION SELECT players.player FROM players JOIN under ON players.merged_into = under.player
    ) SELECT player FROM under)"""
_SELECT = f"SELECT {_COLUMNS} FROM players WHERE TRUE"
_CLUBS = "SELECT club, count(*) FROM players WHERE club > ? AND merged_into IS NULL AND erased = 0 GROUP BY club ORDER BY club LIMIT ?"
_MOST = 500  # ids in a statement


class PlayerRow(Struct, frozen=True):
    """A player as the last projected event left him. ``registered`` is the sequence of the registration, ``position`` and ``sequence`` are
    those of the last event; ``root`` is the id that the person is known by, after all mergers."""

    player: str
    registered: int
    registered_at: datetime
    club: str | None
    merged_into: str | None
    root: str
    erased: bool
    position: int
    sequence: int


class PlayerFilters(Struct, frozen=True):
    """All that are given must hold. ``merged``: into another id."""

    club: str | None = None
    merged: bool | None = None
    erased: bool | None = None

    def fit(self, row: PlayerRow) -> bool:
        return self.club in (None, row.club) and self.merged in (None, row.merged_into is not None) and self.erased in (None, row.erased)


class PlayerPage(Struct, frozen=True):
    """Newest first. ``next`` is the cursor of the following page, null on the last."""

    players: tuple[PlayerRow, ...]
    next: str | None


class Club(Struct, frozen=True):
    """``members`` are persons: merged ids count once, erased ones not at all."""

    club: str
    members: int


def players(store: Store, filters: PlayerFilters, cursor: str | None, limit: int) -> PlayerPage:
    """Raises ``Malformed`` with ``bad_cursor``."""
    conditions: dict[str, Any] = {
        "club = ?": storable(filters.club),
        "erased = ?": None if filters.erased is None else int(filters.erased),
        "registered < ?": None if cursor is None else place_of(cursor),
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = "".join(f" AND {condition}" for condition in given)
    if filters.merged is not None:
        where += f" AND merged_into IS {'NOT NULL' if filters.merged else 'NULL'}"
    rows = store.query(f"{_SELECT}{where} ORDER BY registered DESC LIMIT ?", (*given.values(), limit + 1))
    page = tuple(_row(row) for row in rows[:limit])
    return PlayerPage(page, cursor_of(page[-1].registered) if len(rows) > limit else None)


def rows_of(store: Store, ids: Collection[str]) -> dict[str, PlayerRow]:
    """Those of the ids that are registered, by id."""
    return {row.player: row for row in _chosen(store, "player", ids)}


def person(store: Store, root: str) -> tuple[PlayerRow, ...]:
    """All ids of the person who is known by this one, itself among them, in the order of their registration."""
    return tuple(sorted(_chosen(store, "root", (root,)), key=lambda row: row.registered))


def roots(store: Store, ids: Collection[str]) -> dict[str, str]:
    """The id that the person behind each of the ids is known by; of one that is not registered itself."""
    known = rows_of(store, ids)
    return {id: known[id].root if id in known else id for id in ids}


def clubs(store: Store, after: str, limit: int) -> tuple[Club, ...]:
    """In the order of their ids, those after ``after``."""
    return tuple(Club(club, members) for club, members in store.query(_CLUBS, (after, limit)))


def _chosen(store: Store, column: str, ids: Collection[str]) -> list[PlayerRow]:
    wanted = [storable(id) for id in dict.fromkeys(ids)]
    portions = (wanted[start : start + _MOST] for start in range(0, len(wanted), _MOST))
    return [_row(row) for some in portions for row in store.query(f"{_SELECT} AND {column} IN ({marks(len(some))})", some)]


def _row(row: Row) -> PlayerRow:
    values = dict(zip(PlayerRow.__struct_fields__, row, strict=True))
    return msgspec.convert({**values, "registered_at": moment(values["registered_at"]), "erased": bool(values["erased"])}, PlayerRow)


def _apply(tx: Tx, batch: Batch) -> None:
    for sequence, recorded in batch:
        if isinstance(recorded.event, PlayerEvent):
            _follow(tx, sequence, recorded)


def _follow(tx: Tx, sequence: int, recorded: Recorded) -> None:
    stream = str(recorded.stream)
    match recorded.event:
        case PlayerRegistered(player=player, club=club):
            id = storable(player)
            tx.run(_REGISTER, (stream, id, sequence, microseconds(recorded.stamp.at), storable(club), id, sequence))
        case PlayerTransferred(club=club):
            tx.run(_TRANSFER, (storable(club), stream))
        case PlayerMerged(into=into):
            _merge(tx, stream, storable(into))
        case PlayerSeparated():
            _merge(tx, stream, None)
        case PlayerErased():
            tx.run(_ERASE, (stream,))
        case _:
            pass
    tx.run(_GO_ON, (recorded.position, sequence, stream))


def _merge(tx: Tx, stream: str, into: str | None) -> None:
    """Whatever was merged into this id goes with it."""
    tx.run(_MERGE, (into, stream))
    found = tx.query(_SELF, (stream,)) if into is None else tx.query(_ROOT, (into,))
    for (root,) in found:
        tx.run(_REROOT, (root, stream))


PLAYERS = Projection(name="players", version=1, tables=_TABLES, apply=_apply)
