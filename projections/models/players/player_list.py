"""Reads of the directory: players page by page or by id, the ids of a person, clubs."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from msgspec import Struct

from domain.access.reach import Reach
from projections.engine.store import Row, Store, placeholders
from projections.models.players.projection import COLUMNS
from projections.models.reach import players_within
from projections.models.reading import newest_first, struct_of, where
from projections.values import storable

_SELECT = f"SELECT {COLUMNS} FROM players WHERE TRUE"
_IDS = "SELECT player FROM players WHERE TRUE"
_CLUBS = "SELECT club, count(*) FROM players WHERE club > ? AND merged_into IS NULL AND erased = 0"
_BY_CLUB = "GROUP BY club ORDER BY club LIMIT ?"
_REGISTERED = 1  # its place among the columns
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


class PlayersPage(Struct, frozen=True):
    """Newest first. ``next`` is the cursor of the following page, null on the last."""

    players: tuple[PlayerRow, ...]
    next: str | None


class Club(Struct, frozen=True):
    """``members`` are persons: merged ids count once, erased ones not at all."""

    club: str
    members: int


def players_page(store: Store, reach: Reach, filters: PlayerFilters, cursor: str | None, limit: int) -> PlayersPage:
    """Raises ``BadCursor``."""
    rows, next = newest_first(store, f"{_SELECT}{_merged(filters)}", "registered", _conditions(reach, filters), cursor, limit, _REGISTERED)
    return PlayersPage(tuple(map(_row, rows)), next)


def matching_ids(store: Store, reach: Reach, filters: PlayerFilters) -> frozenset[str] | None:
    """The ids of all players whom the filters let through; ``None`` where no filter is given and the reach is of everything."""
    if reach.whole and filters == PlayerFilters():
        return None
    more, values = where(_conditions(reach, filters))
    return frozenset(player for (player,) in store.query(f"{_IDS}{_merged(filters)}{more}", values))


def rows_of(store: Store, ids: Collection[str]) -> dict[str, PlayerRow]:
    """Those of the ids that are registered, by id."""
    return {row.player: row for row in _chosen(store, "player", ids)}


def ids_of_person(store: Store, root: str) -> tuple[PlayerRow, ...]:
    """All ids of the person who is known by this one, itself among them, in the order of their registration."""
    return tuple(sorted(_chosen(store, "root", (root,)), key=lambda row: row.registered))


def roots(store: Store, ids: Collection[str]) -> dict[str, str]:
    """The id that the person behind each of the ids is known by; of one that is not registered itself."""
    known = rows_of(store, ids)
    return {id: known[id].root if id in known else id for id in ids}


def clubs(store: Store, reach: Reach, after: str, limit: int) -> tuple[Club, ...]:
    """In the order of their ids, those after ``after``."""
    more, values = where(players_within(reach, "player"))
    return tuple(Club(club, members) for club, members in store.query(f"{_CLUBS}{more} {_BY_CLUB}", (after, *values, limit)))


def is_within(store: Store, reach: Reach, player: str) -> bool:
    """Whether the registered player is one of those within the reach."""
    if reach.whole:
        return True
    more, values = where(players_within(reach, "player"))
    return bool(store.query(f"{_IDS} AND player = ?{more}", (storable(player), *values)))


def _conditions(reach: Reach, filters: PlayerFilters) -> dict[str, Any]:
    return {
        **players_within(reach, "player"),
        "club = ?": storable(filters.club),
        "erased = ?": None if filters.erased is None else int(filters.erased),
    }


def _merged(filters: PlayerFilters) -> str:
    return "" if filters.merged is None else f" AND merged_into IS {'NOT NULL' if filters.merged else 'NULL'}"


def _chosen(store: Store, column: str, ids: Collection[str]) -> list[PlayerRow]:
    distinct = [storable(id) for id in dict.fromkeys(ids)]
    portions = (distinct[start : start + _MOST] for start in range(0, len(distinct), _MOST))
    return [_row(row) for some in portions for row in store.query(f"{_SELECT} AND {column} IN ({placeholders(len(some))})", some)]


def _row(row: Row) -> PlayerRow:
    return struct_of(PlayerRow, row, moments=("registered_at",), flags=("erased",))
