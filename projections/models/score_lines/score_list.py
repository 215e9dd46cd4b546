"""Reading of score lines: those that are valid at a sequence and match the filters, in an order that never changes.

Always in steps: first some games in which there may be such lines, found by index alone, then their blocks. Every step is a short query of
its own, because the blocks are versions: whatever is recorded between two steps, a line is neither skipped nor repeated, no reader holds a
transaction open, and no more than the blocks of some games are in memory.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from domain.access import VisibilityScope
from projections.engine.store import Row, Store, placeholders
from projections.models.reading import scores_within, where
from projections.models.score_lines.tables import COUNTED, STRUCK, SUPERSEDED
from projections.values import microseconds, to_stored_value

ScoreStatus: TypeAlias = Literal["counted", "struck", "superseded", "withdrawn"]
"""The status of a line: it counts, was struck out by a ruling, is superseded by the result of its table, or was withdrawn. Withdrawn lines
are only shown to a query for changes.
"""
How: TypeAlias = Literal["recorded", "entered", "forfeited"]
_STATUS: dict[int, ScoreStatus] = {COUNTED: "counted", STRUCK: "struck", SUPERSEDED: "superseded"}
HOW: dict[str, How] = {"entered": "entered", "forfeited": "forfeited"}

_ROWS = msgspec.json.Decoder(dict[str, int])


class ScoreFilters(Struct, frozen=True):
    """Filters of score lines; all that are given must hold. Played from a moment on, and before a moment; changed after a sequence."""

    tournament: str | None = None
    ruleset: str | None = None
    player: str | None = None
    club: str | None = None
    played_from: datetime | None = None
    played_before: datetime | None = None
    changed_since: int | None = None
    round: int | None = None
    table: str | None = None
    game: str | None = None


class ScoredGame(Struct, frozen=True, gc=False):
    """A game with score lines. ``opened`` is the sequence of the opening, ``opened_at`` its time in microseconds. A table whose result was
    entered stands among them without id and time, at the sequence of its first entry.
    """

    opened: int
    id: str | None
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    opened_at: int | None


class ScoreEntry(Struct, frozen=True, gc=False):
    """The rows that one event wrote for one seat. ``recorded`` is the player as recorded, ``player`` the one for whom they count.

    ``sequence``: since when the lines stand like this. ``at`` and ``played_at`` in microseconds. The result of a table has the position 0.
    """

    position: int
    seat: int
    sequence: int
    hand: int | None
    at: int
    played_at: int
    party: int
    recorded: str | None
    player: str | None
    club: str | None
    how: How
    rows: dict[str, int]
    status: ScoreStatus
    ruling: int | None


class GameEntries(Struct, frozen=True, gc=False):
    """Some entries of one game, by position and seat."""

    game: ScoredGame
    entries: tuple[ScoreEntry, ...]


ScorePlace: TypeAlias = tuple[int, int, int]
"""In the order of lines: the opening of a game or the first entry of a table, the position of an event in it, a seat."""

START: ScorePlace = (0, 0, 0)
_GAMES_A_STEP = 64  # bounds the blocks in memory


def latest(store: Store, reach: VisibilityScope) -> int:
    """Return the sequence of the last event that changed a score within the reach: as of then the lines are the present ones."""
    more, values = where(scores_within(reach, "opened"))
    ((sequence,),) = store.query(f"SELECT COALESCE(MAX(changed), 0) FROM score_games WHERE TRUE{more}", values)
    return int(sequence)


def entries(
    store: Store, reach: VisibilityScope, filters: ScoreFilters, as_of: int, start: ScorePlace = START, blocks: int = 1000
) -> Iterator[list[GameEntries]]:
    """Yield all entries from a place on, some games at a time: about ``blocks`` blocks, and at least a game."""
    opened = start[0]
    while games := _games(store, reach, filters, as_of, opened, blocks):
        found = _found(store, filters, as_of, games, start)
        if found:
            yield found
        opened = max(games) + 1


def count(store: Store, reach: VisibilityScope, filters: ScoreFilters, as_of: int) -> int:
    """Return in how many games there may be such lines."""
    more, values = where({**_conditions(filters, as_of), **scores_within(reach, "opened")})
    ((games,),) = store.query(f"SELECT COUNT(DISTINCT opened) FROM {_table(filters)} WHERE TRUE{more}", values)
    return int(games)


def _table(filters: ScoreFilters) -> str:
    return "score_games" if filters.player is None and filters.club is None else "score_players"


def _games(store: Store, reach: VisibilityScope, filters: ScoreFilters, as_of: int, first: int, blocks: int) -> list[int]:
    """Return the openings of the next games in which there may be lines."""
    more, values = where({**_conditions(filters, as_of), **scores_within(reach, "opened")})
    sql = f"SELECT opened, blocks FROM {_table(filters)} WHERE opened >= ?{more} ORDER BY opened LIMIT {_GAMES_A_STEP}"
    games: list[int] = []
    for opened, count in store.query(sql, (first, *values)):
        if games and blocks <= 0 and opened != games[-1]:
            break
        games.append(opened)
        blocks -= count
    return games


_OF_GAMES = "opened IN (SELECT opened FROM score_games WHERE {of} = ?)"


def _conditions(filters: ScoreFilters, as_of: int) -> dict[str, object]:
    """Return the conditions on a game, or on a player's game: they may let through too much, never too little."""
    owned = filters.player is not None or filters.club is not None
    return {
        "player = ?": to_stored_value(filters.player),
        "club = ?": to_stored_value(filters.club),
        "ruleset = ?": to_stored_value(filters.ruleset),
        "tournament = ?": to_stored_value(filters.tournament),
        _OF_GAMES.format(of="round"): to_stored_value(filters.round),
        _OF_GAMES.format(of="table_name"): to_stored_value(filters.table),
        _OF_GAMES.format(of="game"): filters.game,
        "last_played >= ?": filters.played_from and microseconds(filters.played_from),
        "first_played < ?": filters.played_before and microseconds(filters.played_before),
        "changed > ?": filters.changed_since,
        "since <= ?": as_of,
        "until > ?": (as_of if filters.changed_since is None else filters.changed_since) if owned else None,
    }


_GAME = "SELECT opened, game, ruleset, tournament, round, table_name, opened_at FROM score_games WHERE opened IN "
_COLUMNS = "opened, position, seat, since, until, hand, at, played_at, party, recorded, player, club, kind, rows, status, ruling"
_STATUS_AT = _COLUMNS.split(", ").index("status")


def _found(store: Store, filters: ScoreFilters, as_of: int, openings: list[int], start: ScorePlace) -> list[GameEntries]:
    wanted = dict.fromkeys(openings)
    games = {row[0]: ScoredGame(*row) for row in store.query(f"{_GAME} ({placeholders(len(wanted))})", tuple(wanted))}
    more, values = where(_of_blocks(filters, as_of))
    sql = f"SELECT {_COLUMNS} FROM score_blocks WHERE opened IN ({placeholders(len(wanted))}){more} ORDER BY opened, position, seat, since"
    rows = store.query(sql, (*wanted, *values))
    if start[0] in games:
        rows = [row for row in rows if row[:3] >= start]
    by_game = ((games[opened], list(some)) for opened, some in groupby(rows, key=_opening_sequence))
    after = filters.changed_since
    return [GameEntries(game, tuple(_standing(some) if after is None else _list_changes(after, as_of, some))) for game, some in by_game]


def _of_blocks(filters: ScoreFilters, as_of: int) -> dict[str, object]:
    return {
        "player = ?": to_stored_value(filters.player),
        "club = ?": to_stored_value(filters.club),
        "played_at >= ?": filters.played_from and microseconds(filters.played_from),
        "played_at < ?": filters.played_before and microseconds(filters.played_before),
        "since <= ?": as_of,
        "until > ?": as_of if filters.changed_since is None else filters.changed_since,
    }


def _opening_sequence(row: Row) -> int:
    return int(row[0])


def _place(row: Row) -> tuple[int, int]:
    return row[1], row[2]


def _standing(rows: list[Row]) -> Iterator[ScoreEntry]:
    """Yield the entries of valid blocks: one version of each block is here, the valid one."""
    return (_entry(row, row[3], _STATUS[row[_STATUS_AT]]) for row in rows)


def _list_changes(after: int, as_of: int, rows: list[Row]) -> Iterator[ScoreEntry]:
    """Yield the changes of blocks that were valid at the sequence or later: those that began after it, and those that ended, if no matching
    one took their place.
    """
    for _, versions in groupby(rows, key=_place):
        first, *more = versions
        last = more[-1] if more else first
        if last[4] <= as_of and first[3] <= after:
            yield _entry(last, last[4], "withdrawn")
        elif last[4] > as_of and last[3] > after:
            yield _entry(last, last[3], _STATUS[last[_STATUS_AT]])


def _entry(row: Row, sequence: int, status: ScoreStatus) -> ScoreEntry:
    _, position, seat, _, _, hand, at, played_at, party, recorded, player, club, kind, rows, _, ruling = row
    who = (recorded or None, player or None, club or None)
    return ScoreEntry(
        position, seat, sequence, hand, at, played_at, party, *who, HOW.get(kind, "recorded"), _ROWS.decode(rows), status, ruling
    )
