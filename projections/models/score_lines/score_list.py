"""Reading score lines: which are true at a sequence and fit the filters, in an order that never changes.

Always in steps: first some games in which there may be such lines, found by index alone, then their blocks. Every step is a short
query of its own, because what is read are versions: whatever is recorded between two steps, a line is neither skipped nor repeated,
no reader holds a transaction open, and no more than the blocks of some games are in memory.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from projections.engine.store import Row, Store, placeholders
from projections.models.reading import where
from projections.values import microseconds, storable

ScoreStatus: TypeAlias = Literal["counted", "struck", "withdrawn"]
"""Whether a line counts, was struck out by a ruling, or stands no more (told only to those who ask what has changed)."""

_ROWS = msgspec.json.Decoder(dict[str, int])


class ScoreFilters(Struct, frozen=True):
    """All that are given must hold. Opened from a moment on, and before a moment; changed after a sequence."""

    tournament: str | None = None
    ruleset: str | None = None
    player: str | None = None
    club: str | None = None
    opened_from: datetime | None = None
    opened_before: datetime | None = None
    changed_since: int | None = None


class ScoredGame(Struct, frozen=True, gc=False):
    """``opened`` is the sequence of the opening, ``opened_at`` its time in microseconds."""

    opened: int
    id: str
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    opened_at: int


class ScoreEntry(Struct, frozen=True, gc=False):
    """The rows that one event wrote for one seat. ``recorded`` is the player as he was recorded, ``player`` the one for whom they count.

    ``sequence``: since when the lines stand like this. ``at`` in microseconds.
    """

    position: int
    seat: int
    sequence: int
    hand: int | None
    at: int
    party: int
    recorded: str | None
    player: str | None
    club: str | None
    rows: dict[str, int]
    status: ScoreStatus
    ruling: int | None


class GameEntries(Struct, frozen=True, gc=False):
    """Some entries of one game, by position and seat."""

    game: ScoredGame
    entries: tuple[ScoreEntry, ...]


ScorePlace: TypeAlias = tuple[int, int, int]
"""In the order of lines: the opening of a game, the position of an event in it, a seat."""

START: ScorePlace = (0, 0, 0)
_GAMES_A_STEP = 64


def latest(store: Store) -> int:
    """The sequence of the last event that changed a score: as of then the lines are those of now."""
    ((sequence,),) = store.query("SELECT COALESCE(MAX(changed), 0) FROM score_games")
    return int(sequence)


def entries(store: Store, filters: ScoreFilters, as_of: int, start: ScorePlace = START, blocks: int = 1000) -> Iterator[list[GameEntries]]:
    """All from a place on, some games at a time: about as many blocks as asked for, and at least a game."""
    opened = start[0]
    while games := _games(store, filters, as_of, opened, blocks):
        found = _found(store, filters, as_of, games, start)
        if found:
            yield found
        opened = max(games) + 1


def count(store: Store, filters: ScoreFilters, as_of: int) -> int:
    """In how many games there may be such lines."""
    more, values = where(_conditions(filters, as_of))
    ((games,),) = store.query(f"SELECT COUNT(DISTINCT opened) FROM {_table(filters)} WHERE TRUE{more}", values)
    return int(games)


def _table(filters: ScoreFilters) -> str:
    return "score_games" if filters.player is None and filters.club is None else "score_players"


def _games(store: Store, filters: ScoreFilters, as_of: int, first: int, blocks: int) -> list[int]:
    """Openings of the next games in which there may be lines."""
    more, values = where(_conditions(filters, as_of))
    sql = f"SELECT opened, blocks FROM {_table(filters)} WHERE opened >= ?{more} ORDER BY opened LIMIT {_GAMES_A_STEP}"
    games: list[int] = []
    for opened, count in store.query(sql, (first, *values)):
        if games and blocks <= 0 and opened != games[-1]:
            break
        games.append(opened)
        blocks -= count
    return games


def _conditions(filters: ScoreFilters, as_of: int) -> dict[str, object]:
    """Of a game, or of a player's game: they may let through too much, never too little."""
    owned = filters.player is not None or filters.club is not None
    return {
        "player = ?": storable(filters.player),
        "club = ?": storable(filters.club),
        "ruleset = ?": storable(filters.ruleset),
        "tournament = ?": storable(filters.tournament),
        "opened_at >= ?": filters.opened_from and microseconds(filters.opened_from),
        "opened_at < ?": filters.opened_before and microseconds(filters.opened_before),
        "changed > ?": filters.changed_since,
        "since <= ?": as_of,
        "until > ?": (as_of if filters.changed_since is None else filters.changed_since) if owned else None,
    }


_GAME = "SELECT opened, game, ruleset, tournament, round, table_name, opened_at FROM score_games WHERE opened IN "
_COLUMNS = "opened, position, seat, since, until, hand, at, party, recorded, player, club, rows, struck, ruling"


def _found(store: Store, filters: ScoreFilters, as_of: int, openings: list[int], start: ScorePlace) -> list[GameEntries]:
    wanted = dict.fromkeys(openings)
    games = {row[0]: ScoredGame(*row) for row in store.query(f"{_GAME} ({placeholders(len(wanted))})", tuple(wanted))}
    more, values = where(_of_blocks(filters, as_of))
    sql = f"SELECT {_COLUMNS} FROM score_blocks WHERE opened IN ({placeholders(len(wanted))}){more} ORDER BY opened, position, seat, since"
    rows = store.query(sql, (*wanted, *values))
    if start[0] in games:
        rows = [row for row in rows if row[:3] >= start]
    by_game = ((games[opened], list(some)) for opened, some in groupby(rows, key=_opened))
    after = filters.changed_since
    return [GameEntries(game, tuple(_standing(some) if after is None else _changed(after, as_of, some))) for game, some in by_game]


def _of_blocks(filters: ScoreFilters, as_of: int) -> dict[str, object]:
    return {
        "player = ?": storable(filters.player),
        "club = ?": storable(filters.club),
        "since <= ?": as_of,
        "until > ?": as_of if filters.changed_since is None else filters.changed_since,
    }


def _opened(row: Row) -> int:
    return int(row[0])


def _place(row: Row) -> tuple[int, int]:
    return row[1], row[2]


def _standing(rows: list[Row]) -> Iterator[ScoreEntry]:
    """One version of each block is here: the one that is true."""
    return (_entry(row, row[3], "struck" if row[12] else "counted") for row in rows)


def _changed(after: int, as_of: int, rows: list[Row]) -> Iterator[ScoreEntry]:
    """Of all that were true at a sequence or later: what began after it, and what ended, if nothing that fits came in its place."""
    for _, versions in groupby(rows, key=_place):
        first, *more = versions
        last = more[-1] if more else first
        if last[4] <= as_of and first[3] <= after:
            yield _entry(last, last[4], "withdrawn")
        elif last[4] > as_of and last[3] > after:
            yield _entry(last, last[3], "struck" if last[12] else "counted")


def _entry(row: Row, sequence: int, status: ScoreStatus) -> ScoreEntry:
    _, position, seat, _, _, hand, at, party, recorded, player, club, rows, _, ruling = row
    decoded = _ROWS.decode(rows)
    return ScoreEntry(position, seat, sequence, hand, at, party, recorded or None, player or None, club or None, decoded, status, ruling)
