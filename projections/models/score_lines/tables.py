"""The tables of the score lines, and how they are written. ``docs/score-histories.md`` explains them.

Blocks are versions: each is valid from the sequence ``since`` up to, but without, ``until``. Nothing but ``until`` ever changes once the
event is taken, so the lines that were valid at a sequence can be read at any time. The other tables (games, players' games) are computed
from the blocks, to find them. The result of a table stands among the games with no game; its ``opened`` is the sequence of its first entry.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from domain.events import Recorded
from domain.events.game import GameOpened
from domain.time_zones import month_of
from projections.engine.store import Params, Transaction, placeholders, rows_by_ids
from projections.models.score_lines.boards import NOBODY, BlocksAssigned, BlocksEnded, Places, ScoreBlock, ScoreBoard
from projections.values import as_json, microseconds, to_datetime, to_stored_value

FOREVER = 2**63 - 1  # the sequence until which a line is valid that still is; a number, so that comparisons need no NULL
COUNTED, STRUCK, SUPERSEDED = 0, 1, 2
"""The status of a block that is valid."""
_ASKED = "ruleset, tournament, first_played, last_played, since, until, changed, blocks"

TABLES = {
    "score_boards": ("CREATE TABLE score_boards (game TEXT PRIMARY KEY, board TEXT NOT NULL)",),
    "score_games": (
        """CREATE TABLE score_games (
    opened BIGINT PRIMARY KEY,
    game TEXT UNIQUE,
    ruleset TEXT NOT NULL,
    tournament TEXT,
    round BIGINT,
    table_name TEXT,
    opened_at BIGINT,
    first_played BIGINT NOT NULL,
    last_played BIGINT NOT NULL,
    finished INTEGER NOT NULL,
    since BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    blocks BIGINT NOT NULL
)""",
        "CREATE INDEX score_games_ruleset ON score_games (ruleset, opened)",
        "CREATE INDEX score_games_tournament ON score_games (tournament, opened)",
        "CREATE INDEX score_games_changed ON score_games (changed)",
    ),
    "score_blocks": (
        """CREATE TABLE score_blocks (
    opened BIGINT NOT NULL,
    position BIGINT NOT NULL,
    seat INTEGER NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    hand BIGINT,
    at BIGINT NOT NULL,
    played_at BIGINT NOT NULL,
    month TEXT NOT NULL,
    party INTEGER NOT NULL,
    recorded TEXT NOT NULL,
    player TEXT NOT NULL,
    club TEXT NOT NULL,
    kind TEXT NOT NULL,
    rows TEXT NOT NULL,
    points BIGINT NOT NULL,
    status INTEGER NOT NULL,
    ruling BIGINT,
    PRIMARY KEY (opened, position, seat, since)
)""",
    ),
    "score_places": (
        "CREATE TABLE score_places (opened BIGINT NOT NULL, recorded TEXT NOT NULL, place BIGINT, PRIMARY KEY (opened, recorded))",
    ),
    "score_players": (
        """CREATE TABLE score_players (
    player TEXT NOT NULL,
    opened BIGINT NOT NULL,
    club TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    tournament TEXT,
    first_played BIGINT NOT NULL,
    last_played BIGINT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    blocks BIGINT NOT NULL,
    played_at BIGINT,
    month TEXT,
    hands BIGINT NOT NULL,
    points BIGINT NOT NULL,
    place BIGINT,
    PRIMARY KEY (player, opened, club)
)""",
        # Covering indexes: they hold all columns of a filter, so that many games can be skipped without reading each row.
        f"CREATE INDEX score_players_player ON score_players (player, opened, club, {_ASKED})",
        f"CREATE INDEX score_players_club ON score_players (club, opened, {_ASKED})",
        "CREATE INDEX score_players_opened ON score_players (opened)",
    ),
}

KNOWN = (
    "SELECT g.game, COALESCE(MAX(b.position), 1) FROM score_games AS g LEFT JOIN score_blocks AS b ON b.opened = g.opened"
    " WHERE g.game IS NOT NULL GROUP BY g.game UNION ALL SELECT stream, position FROM score_tournaments"
)
"""The position up to which each game and each tournament is known, for the engine."""

_BOARDS = "SELECT game, board FROM score_boards WHERE game IN"
_KEEP_BOARD = "INSERT INTO score_boards (game, board) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET board = excluded.board"
_GAME = (
    "INSERT INTO score_games"
    " (opened, game, ruleset, tournament, round, table_name, opened_at, first_played, last_played, finished, since, changed, blocks)"
    f" VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, {FOREVER}, 0, 0) ON CONFLICT (opened) DO NOTHING"
)
_WHAT = "hand, at, played_at, month, party, recorded"
COLUMNS = f"opened, position, seat, since, until, {_WHAT}, player, club, kind, rows, points, status, ruling"
_BLOCK = f"INSERT INTO score_blocks ({COLUMNS}) VALUES (?, ?, ?, ?, {FOREVER}, {placeholders(12)}, NULL)"
_STANDING = f"opened = ? AND until = {FOREVER} AND status <> {STRUCK}"
_WHICH = {
    "hands_from": "kind = 'hand' AND hand >= ?",
    "adjustments_from": "kind = 'adjustment' AND hand >= ?",
    "adjustment_at": "kind = 'adjustment' AND position = ?",
    "hands_after": "kind = 'hand' AND position > ?",
    "all": "position > ?",
}
_STRUCK = (
    f"INSERT INTO score_blocks ({COLUMNS})"
    f" SELECT opened, position, seat, CAST(? AS BIGINT), {FOREVER}, {_WHAT}, player, club, kind, rows, points,"
    f" {STRUCK}, CAST(? AS BIGINT) FROM score_blocks WHERE {_STANDING}"
)
_OF_TABLE = f"opened IN ({{games}}) AND until = {FOREVER} AND status = ?"
_TURNED = (
    f"INSERT INTO score_blocks ({COLUMNS})"
    f" SELECT opened, position, seat, CAST(? AS BIGINT), until, {_WHAT}, player, club, kind, rows, points, CAST(? AS INTEGER), ruling"
    f" FROM score_blocks WHERE {_OF_TABLE} AND since < ?"
)
_TURNED_AWAY = f"UPDATE score_blocks SET until = ? WHERE {_OF_TABLE} AND since < ?"
_TURNED_AT_ONCE = f"UPDATE score_blocks SET status = ? WHERE {_OF_TABLE} AND since = ?"
_UNSAID = "DELETE FROM score_blocks WHERE opened = ? AND since = ?"
_ENDED = f"UPDATE score_blocks SET until = ? WHERE opened = ? AND until = {FOREVER}"
_OF_SOME = (
    f"opened IN (SELECT opened FROM score_players WHERE player = ?) AND player = ? AND until = {FOREVER} AND since < ? AND recorded IN "
)
_MOVED = (
    f"INSERT INTO score_blocks ({COLUMNS})"
    f" SELECT opened, position, seat, CAST(? AS BIGINT), until, {_WHAT}, CAST(? AS TEXT), CAST(? AS TEXT), kind, rows,"
    f" points, status, ruling FROM score_blocks WHERE {_OF_SOME}"
)
_MOVED_AWAY = f"UPDATE score_blocks SET until = ? WHERE {_OF_SOME}"
_MOVED_AT = "SELECT DISTINCT opened FROM score_blocks WHERE opened IN (SELECT opened FROM score_players WHERE player = ?) AND since = ?"
_OF_SEAT = (
    f"opened = ? AND seat = ? AND recorded <> ? AND (hand >= ? OR (hand IS NULL AND position > ?)) AND until = {FOREVER} AND since < ?"
)
_NAMED = {"since": "CAST(? AS BIGINT)", "recorded": "CAST(? AS TEXT)", "player": "CAST(? AS TEXT)", "club": "CAST(? AS TEXT)"}
_RESEATED = (
    f"INSERT INTO score_blocks ({COLUMNS}) SELECT {', '.join(_NAMED.get(column, column) for column in COLUMNS.split(', '))}"
    f" FROM score_blocks WHERE {_OF_SEAT}"
)
_RESEATED_AWAY = f"UPDATE score_blocks SET until = ? WHERE {_OF_SEAT}"
_UNPLACED = "DELETE FROM score_places WHERE opened = ?"
_PLACE = "INSERT INTO score_places (opened, recorded, place) VALUES (?, ?, ?) ON CONFLICT (opened, recorded) DO NOTHING"
_FINISHED = "UPDATE score_games SET finished = ? WHERE opened = ?"

_CHANGED = f"MAX(CASE WHEN b.until < {FOREVER} THEN b.until ELSE b.since END)"
_GAMES_ANEW = (
    "UPDATE score_games SET (since, changed, blocks, first_played, last_played) ="
    f" (SELECT MIN(b.since), {_CHANGED}, COUNT(*), MIN(b.played_at), MAX(b.played_at) FROM score_blocks AS b"
    " WHERE b.opened = score_games.opened)"
    " WHERE EXISTS (SELECT 1 FROM score_blocks AS b WHERE b.opened = score_games.opened) AND opened IN "
)
_COUNTS = f"b.until = {FOREVER} AND b.status = {COUNTED}"
_PLAYED = f"{_COUNTS} AND b.kind IN ('hand', 'entered')"
_PLAYERS_ANEW = (
    "INSERT INTO score_players (player, opened, club, ruleset, tournament, first_played, last_played, since, until, changed, blocks,"
    " played_at, month, hands, points, place)"
    " SELECT b.player, b.opened, b.club, g.ruleset, g.tournament, MIN(b.played_at), MAX(b.played_at), MIN(b.since), MAX(b.until),"
    f" {_CHANGED}, COUNT(*), MIN(CASE WHEN {_PLAYED} THEN b.played_at END), MIN(CASE WHEN {_PLAYED} THEN b.month END),"
    f" COUNT(DISTINCT CASE WHEN {_COUNTS} AND b.kind = 'hand' THEN b.position END), SUM(CASE WHEN {_COUNTS} THEN b.points ELSE 0 END),"
    f" MIN(CASE WHEN {_COUNTS} THEN p.place END)"
    " FROM score_blocks AS b JOIN score_games AS g ON g.opened = b.opened"
    " LEFT JOIN score_places AS p ON p.opened = b.opened AND p.recorded = b.recorded"
    f" WHERE b.player <> '{NOBODY}' AND b.opened IN ({{marks}})"
    " GROUP BY b.player, b.opened, b.club, g.ruleset, g.tournament"
    " ON CONFLICT (player, opened, club) DO UPDATE SET first_played = excluded.first_played, last_played = excluded.last_played,"
    " until = excluded.until, changed = excluded.changed, blocks = excluded.blocks, played_at = excluded.played_at,"
    " month = excluded.month, hands = excluded.hands, points = excluded.points, place = excluded.place"
)
_AT_ONCE = 200  # ids in a statement; both databases bound the number of parameters

_BOARD = msgspec.json.Decoder(ScoreBoard)


def boards(tx: Transaction, games: Collection[str]) -> dict[str, ScoreBoard]:
    return {row[0]: _BOARD.decode(row[1]) for row in rows_by_ids(tx, _BOARDS, games)}


def keep_boards(tx: Transaction, boards: dict[str, ScoreBoard]) -> None:
    tx.run_many(_KEEP_BOARD, [(game, as_json(board)) for game, board in boards.items()])


def game_row(sequence: int, recorded: Recorded, event: GameOpened) -> Params:
    place = (to_stored_value(event.tournament), to_stored_value(event.round), to_stored_value(event.table))
    return (sequence, str(recorded.stream), event.setup.ruleset, *place, microseconds(recorded.stamp.at))


def keep_games(tx: Transaction, rows: Iterable[Params]) -> None:
    tx.run_many(_GAME, rows)


def keep_table(tx: Transaction, sequence: int, ruleset: str, tournament: str, round: int, table: str) -> None:
    """Insert a table whose result was entered, to stand among the games."""
    tx.run(_GAME, (sequence, None, ruleset, tournament, round, table, None))


def block_row(opened: int, block: ScoreBlock, since: int, status: int, player: str, club: str) -> Params:
    """Return the row of a block. ``player`` is the one it counts for."""
    month = month_of(to_datetime(block.played_at), block.zone)
    what = (block.hand, block.at, block.played_at, month, block.party, block.player)
    return (opened, block.position, block.seat, since, *what, player, club, block.kind, block.rows, block.points, status)


def keep_blocks(tx: Transaction, rows: Iterable[Params]) -> None:
    tx.run_many(_BLOCK, rows)


def end_blocks(tx: Transaction, opened: int, sequence: int, ended: BlocksEnded) -> None:
    which = f"{_STANDING} AND {_WHICH[ended.which]}"
    if ended.struck:
        tx.run(f"{_STRUCK} AND {_WHICH[ended.which]}", (sequence, ended.ruling, opened, ended.number))
    tx.run(f"UPDATE score_blocks SET until = ? WHERE {which}", (sequence, opened, ended.number))


def turn_blocks(tx: Transaction, sequence: int, games: Sequence[int], *, superseded: bool) -> None:
    """Supersede the lines that count of the games of a table from now on; or let superseded ones count again.

    Lines that this very event wrote or changed are changed with it: they were never valid otherwise.
    """
    before, after = (COUNTED, SUPERSEDED) if superseded else (SUPERSEDED, COUNTED)
    for first in range(0, len(games), _AT_ONCE):
        some = games[first : first + _AT_ONCE]
        marks = placeholders(len(some))
        tx.run(_TURNED_AT_ONCE.format(games=marks), (after, *some, before, sequence))
        tx.run(_TURNED.format(games=marks), (sequence, after, *some, before, sequence))
        tx.run(_TURNED_AWAY.format(games=marks), (sequence, *some, before, sequence))


def end_result(tx: Transaction, opened: int, sequence: int) -> None:
    """End the result of a table: it does not count any more."""
    tx.run(_UNSAID, (opened, sequence))
    tx.run(_ENDED, (sequence, opened))


def move_blocks(tx: Transaction, sequence: int, counted: str, recorded: Sequence[str], player: str, club: str) -> set[int]:
    """Let lines that counted for a player and were recorded for these count for this player and club. Return the openings of the games.

    ``score_players`` has to be computed before.
    """
    whose, some = (counted, counted, sequence, *recorded), placeholders(len(recorded))
    tx.run(f"{_MOVED} ({some})", (sequence, player, club, *whose))
    tx.run(f"{_MOVED_AWAY} ({some})", (sequence, *whose))
    return {opened for (opened,) in tx.query(_MOVED_AT, (counted, sequence))}


def assign_blocks(tx: Transaction, opened: int, sequence: int, reseated: BlocksAssigned, counts: Mapping[str, tuple[str, str]]) -> None:
    """Let other players have the lines of their seats. ``counts``: the player and club for which the lines of each count."""
    hand = to_stored_value(reseated.from_hand)
    for seat, recorded in enumerate(reseated.players):
        which = (opened, seat, recorded, hand, reseated.after, sequence)
        tx.run(_RESEATED, (sequence, recorded, *counts[recorded], *which))
        tx.run(_RESEATED_AWAY, (sequence, *which))


def keep_places(tx: Transaction, changed: Mapping[int, Places | None]) -> None:
    """Write the places by opening; ``None`` while the game is not over."""
    tx.run_many(_UNPLACED, [(opened,) for opened in changed])
    tx.run_many(_FINISHED, [(int(places is not None), opened) for opened, places in changed.items()])
    placed = [(opened, player, to_stored_value(place)) for opened, places in changed.items() for player, place in places or ()]
    tx.run_many(_PLACE, [row for row in placed if row[1] != NOBODY])


def work_out(tx: Transaction, openings: Iterable[int]) -> None:
    """Compute games and players' games from the blocks, for the games that were opened at these sequences."""
    ids = sorted(openings)
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        tx.run(f"{_GAMES_ANEW} ({placeholders(len(some))})", some)
        tx.run(_PLAYERS_ANEW.format(marks=placeholders(len(some))), some)
