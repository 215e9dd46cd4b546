"""The player directory without names: registrations, clubs, and ids that are the same person."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from domain.access import VisibilityScope
from domain.events import Recorded
from domain.events.player import PlayerClubChanged, PlayerErased, PlayerEvent, PlayerMerged, PlayerRegistered, PlayerSeparated
from projections.engine.store import Batch, Params, Projection, Row, Store, Transaction, placeholders
from projections.models.reading import latest_first, players_within, struct_of, where
from projections.values import microseconds, to_stored_value

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
COLUMNS = "player, registered, registered_at, club, merged_into, root, erased, position, sequence"
_REGISTER = f"INSERT INTO players (stream, {COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL, ?, 0, ?, ?) ON CONFLICT DO NOTHING"
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


def _apply(tx: Transaction, batch: Batch) -> None:
    """Apply a batch. Consecutive registrations, as in a list of members, are written together."""
    registered: list[Params] = []
    for sequence, recorded in batch:
        if isinstance(recorded.event, PlayerRegistered):
            registered.append(_row_of_registration(sequence, recorded, recorded.event))
        elif isinstance(recorded.event, PlayerEvent):
            # The registrations so far first: this event may be about one of them.
            tx.run_many(_REGISTER, registered)
            registered = []
            _apply_event(tx, sequence, recorded)
    tx.run_many(_REGISTER, registered)


def _row_of_registration(sequence: int, recorded: Recorded, event: PlayerRegistered) -> Params:
    player = to_stored_value(event.player)
    place = (sequence, microseconds(recorded.stamp.at), to_stored_value(event.club))
    return (str(recorded.stream), player, *place, player, recorded.position, sequence)


def _apply_event(tx: Transaction, sequence: int, recorded: Recorded) -> None:
    stream = str(recorded.stream)
    match recorded.event:
        case PlayerClubChanged(club=club):
            tx.run(_TRANSFER, (to_stored_value(club), stream))
        case PlayerMerged(into=into):
            _merge(tx, stream, to_stored_value(into))
        case PlayerSeparated():
            _merge(tx, stream, None)
        case PlayerErased():
            tx.run(_ERASE, (stream,))
        case _:
            pass
    tx.run(_GO_ON, (recorded.position, sequence, stream))


def _merge(tx: Transaction, stream: str, into: str | None) -> None:
    """Merge, or separate without ``into``. Ids that were merged into this one get the new root, too."""
    tx.run(_MERGE, (into, stream))
    found = tx.query(_SELF, (stream,)) if into is None else tx.query(_ROOT, (into,))
    for (root,) in found:
        tx.run(_REROOT, (root, stream))


PLAYERS = Projection("players", 1, _TABLES, _apply, known="SELECT stream, position FROM players", plain_moves=False)


# Reads of the directory: players page by page or by id, the ids of a person, clubs.


_SELECT = f"SELECT {COLUMNS} FROM players WHERE TRUE"
_IDS = "SELECT player FROM players WHERE TRUE"
_CLUBS = "SELECT club, count(*) FROM players WHERE club > ? AND merged_into IS NULL AND erased = 0"
_BY_CLUB = "GROUP BY club ORDER BY club LIMIT ?"
_REGISTERED = 1  # its place among the columns
_MOST = 500  # ids in a statement


class PlayerRow(Struct, frozen=True):
    """A player as the last projected event left them. ``registered`` is the sequence of the registration, ``position`` and ``sequence`` are
    those of the last event; ``root`` is the id that the person is known by, after all mergers.
    """

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
    """Filters of players; all that are given must hold. ``merged``: into another id."""

    club: str | None = None
    merged: bool | None = None
    erased: bool | None = None


class PlayersPage(Struct, frozen=True):
    """A page of players, newest first. ``next`` is the cursor of the following page, null on the last."""

    players: tuple[PlayerRow, ...]
    next: str | None


class Club(Struct, frozen=True):
    """A club. ``members`` are persons: merged ids count once, erased ones not at all."""

    club: str
    members: int


def players_page(store: Store, reach: VisibilityScope, filters: PlayerFilters, cursor: str | None, limit: int) -> PlayersPage:
    """Return a page of players. Raises ``BadCursor``."""
    rows, next = latest_first(
        store, f"{_SELECT}{_condition_on_merged(filters)}", "registered", _conditions(reach, filters), cursor, limit, _REGISTERED
    )
    return PlayersPage(tuple(map(_row, rows)), next)


def matching_ids(store: Store, reach: VisibilityScope, filters: PlayerFilters) -> frozenset[str] | None:
    """Return the ids of all players whom the filters let through; ``None`` where no filter is given and the reach is of everything."""
    if reach.whole and filters == PlayerFilters():
        return None
    more, values = where(_conditions(reach, filters))
    return frozenset(player for (player,) in store.query(f"{_IDS}{_condition_on_merged(filters)}{more}", values))


def rows_of(store: Store, ids: Collection[str]) -> dict[str, PlayerRow]:
    """Return the rows of those of the ids that are registered, by id."""
    return {row.player: row for row in _select_players(store, "player", ids)}


def ids_of_person(store: Store, root: str) -> tuple[PlayerRow, ...]:
    """Return all ids of the person who is known by this one, itself among them, in the order of their registration."""
    return tuple(sorted(_select_players(store, "root", (root,)), key=lambda row: row.registered))


def roots(store: Store, ids: Collection[str]) -> dict[str, str]:
    """Return the id that the person behind each of the ids is known by; of one that is not registered itself."""
    known: dict[str, str] = dict(_select(store, "SELECT player, root FROM players WHERE TRUE", "player", ids))
    return {id: known.get(id, id) for id in ids}


def clubs_of(store: Store, ids: Collection[str]) -> dict[str, str | None]:
    """Return the club of each of the ids that is registered."""
    return dict(_select(store, "SELECT player, club FROM players WHERE TRUE", "player", ids))


def clubs(store: Store, reach: VisibilityScope, after: str, limit: int) -> tuple[Club, ...]:
    """Return the clubs in the order of their ids, those after ``after``."""
    more, values = where(players_within(reach, "player"))
    return tuple(Club(club, members) for club, members in store.query(f"{_CLUBS}{more} {_BY_CLUB}", (after, *values, limit)))


def is_within(store: Store, reach: VisibilityScope, player: str) -> bool:
    """Return whether the registered player is one of those within the reach."""
    if reach.whole:
        return True
    more, values = where(players_within(reach, "player"))
    return bool(store.query(f"{_IDS} AND player = ?{more}", (to_stored_value(player), *values)))


def _conditions(reach: VisibilityScope, filters: PlayerFilters) -> dict[str, Any]:
    return {
        **players_within(reach, "player"),
        "club = ?": to_stored_value(filters.club),
        "erased = ?": None if filters.erased is None else int(filters.erased),
    }


def _condition_on_merged(filters: PlayerFilters) -> str:
    return "" if filters.merged is None else f" AND merged_into IS {'NOT NULL' if filters.merged else 'NULL'}"


def _select_players(store: Store, column: str, ids: Collection[str]) -> list[PlayerRow]:
    return [_row(row) for row in _select(store, _SELECT, column, ids)]


def _select(store: Store, select: str, column: str, ids: Collection[str]) -> Iterator[Row]:
    distinct = [to_stored_value(id) for id in dict.fromkeys(ids)]
    for start in range(0, len(distinct), _MOST):
        some = distinct[start : start + _MOST]
        yield from store.query(f"{select} AND {column} IN ({placeholders(len(some))})", some)


def _row(row: Row) -> PlayerRow:
    return struct_of(PlayerRow, row, moments=("registered_at",), flags=("erased",))
