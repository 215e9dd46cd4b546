"""The tables of the score lines, and how they are written. What they mean stands in ``docs/score-histories.md``.

Blocks are versions: each is true from the sequence ``since`` up to, but without, ``until``. Nothing but ``until`` ever changes, so what
was true at a sequence can be read at any time. What else is here (games, players' games) is worked out from the blocks, to find them.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from domain.events import Recorded
from domain.events.game import GameOpened
from projections.engine.store import Params, Tx, placeholders, rows_among
from projections.models.score_lines.boards import NOBODY, BlocksEnded, BlocksRestored, ScoreBlock, ScoreBoard
from projections.values import as_json, microseconds, storable

FOREVER = 2**63 - 1  # the sequence until which a line is valid that still is; a number, so that comparisons need no NULL
_ASKED = "ruleset, tournament, opened_at, since, until, changed, blocks"

TABLES = {
    "score_boards": ("CREATE TABLE score_boards (game TEXT PRIMARY KEY, board TEXT NOT NULL)",),
    "score_games": (
        """CREATE TABLE score_games (
    opened BIGINT PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    ruleset TEXT NOT NULL,
    tournament TEXT,
    round BIGINT,
    table_name TEXT,
    opened_at BIGINT NOT NULL,
    month TEXT NOT NULL,
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
    party INTEGER NOT NULL,
    recorded TEXT NOT NULL,
    player TEXT NOT NULL,
    club TEXT NOT NULL,
    kind TEXT NOT NULL,
    rows TEXT NOT NULL,
    points BIGINT NOT NULL,
    struck INTEGER NOT NULL,
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
    opened_at BIGINT NOT NULL,
    month TEXT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    blocks BIGINT NOT NULL,
    hands BIGINT NOT NULL,
    points BIGINT NOT NULL,
    place BIGINT,
    PRIMARY KEY (player, opened, club)
)""",
        # They hold all that a filter asks for, so that many games can be passed over without looking at each.
        f"CREATE INDEX score_players_player ON score_players (player, opened, club, {_ASKED})",
        f"CREATE INDEX score_players_club ON score_players (club, opened, {_ASKED})",
        "CREATE INDEX score_players_opened ON score_players (opened)",
    ),
}

KNOWN = (
    "SELECT g.game, COALESCE(MAX(b.position), 1) FROM score_games AS g LEFT JOIN score_blocks AS b ON b.opened = g.opened GROUP BY g.game"
)
"""Up to which position each game is known, for the engine."""

_BOARDS = "SELECT game, board FROM score_boards WHERE game IN"
_KEEP_BOARD = "INSERT INTO score_boards (game, board) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET board = excluded.board"
_GAME = (
    "INSERT INTO score_games (opened, game, ruleset, tournament, round, table_name, opened_at, month, finished, since, changed, blocks)"
    f" VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, {FOREVER}, 0, 0)"
)
_COLUMNS = "opened, position, seat, since, until, hand, at, party, recorded, player, club, kind, rows, points, struck, ruling"
_BLOCK = f"INSERT INTO score_blocks ({_COLUMNS}) VALUES (?, ?, ?, ?, {FOREVER}, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL)"
_STANDING = f"opened = ? AND until = {FOREVER} AND struck = 0"
_WHICH = {
    "hands_from": "kind = 'hand' AND hand >= ?",
    "adjustments_from": "kind = 'adjustment' AND hand >= ?",
    "adjustment_at": "kind = 'adjustment' AND position = ?",
    "hands_after": "kind = 'hand' AND position > ?",
    "all": "position > ?",
}
_STRUCK = (
    f"INSERT INTO score_blocks ({_COLUMNS})"
    f" SELECT opened, position, seat, CAST(? AS BIGINT), {FOREVER}, hand, at, party, recorded, player, club, kind, rows, points,"
    f" 1, CAST(? AS BIGINT) FROM score_blocks WHERE {_STANDING}"
)
_ONCE_MORE = {"since": "CAST(? AS BIGINT)", "until": str(FOREVER), "struck": "0", "ruling": "NULL"}
_AGAIN = (
    f"INSERT INTO score_blocks ({_COLUMNS}) SELECT {', '.join(_ONCE_MORE.get(column, column) for column in _COLUMNS.split(', '))}"
    " FROM score_blocks"
)
_BY_RULING = f"opened = ? AND until = {FOREVER} AND struck = 1 AND ruling = ?"
_ENDED = (
    "opened = ? AND kind = 'adjustment' AND NOT EXISTS (SELECT 1 FROM score_blocks AS n WHERE n.opened = b.opened"
    " AND n.position = b.position AND n.seat = b.seat AND n.since > b.since)"
    f" AND until < {FOREVER} AND position IN"
)
_OF_SOME = (
    f"opened IN (SELECT opened FROM score_players WHERE player = ?) AND player = ? AND until = {FOREVER} AND since < ? AND recorded IN "
)
_MOVED = (
    f"INSERT INTO score_blocks ({_COLUMNS})"
    " SELECT opened, position, seat, CAST(? AS BIGINT), until, hand, at, party, recorded, CAST(? AS TEXT), CAST(? AS TEXT), kind, rows,"
    f" points, struck, ruling FROM score_blocks WHERE {_OF_SOME}"
)
_MOVED_AWAY = f"UPDATE score_blocks SET until = ? WHERE {_OF_SOME}"
_MOVED_AT = "SELECT DISTINCT opened FROM score_blocks WHERE opened IN (SELECT opened FROM score_players WHERE player = ?) AND since = ?"
_UNPLACED = "DELETE FROM score_places WHERE opened = ?"
_PLACE = "INSERT INTO score_places (opened, recorded, place) VALUES (?, ?, ?) ON CONFLICT (opened, recorded) DO NOTHING"
_FINISHED = "UPDATE score_games SET finished = ? WHERE opened = ?"

_CHANGED = f"MAX(CASE WHEN b.until < {FOREVER} THEN b.until ELSE b.since END)"
_GAMES_ANEW = (
    f"UPDATE score_games SET (since, changed, blocks) = (SELECT MIN(b.since), {_CHANGED}, COUNT(*) FROM score_blocks AS b"
    " WHERE b.opened = score_games.opened)"
    " WHERE EXISTS (SELECT 1 FROM score_blocks AS b WHERE b.opened = score_games.opened) AND opened IN "
)
_COUNTS = f"b.until = {FOREVER} AND b.struck = 0"
_PLAYERS_ANEW = (
    "INSERT INTO score_players"
    " (player, opened, club, ruleset, tournament, opened_at, month, since, until, changed, blocks, hands, points, place)"
    f" SELECT b.player, b.opened, b.club, g.ruleset, g.tournament, g.opened_at, g.month, MIN(b.since), MAX(b.until), {_CHANGED}, COUNT(*),"
    f" COUNT(DISTINCT CASE WHEN {_COUNTS} AND b.kind = 'hand' THEN b.position END), SUM(CASE WHEN {_COUNTS} THEN b.points ELSE 0 END),"
    f" MIN(CASE WHEN {_COUNTS} THEN p.place END)"
    " FROM score_blocks AS b JOIN score_games AS g ON g.opened = b.opened"
    " LEFT JOIN score_places AS p ON p.opened = b.opened AND p.recorded = b.recorded"
    f" WHERE b.player <> '{NOBODY}' AND b.opened IN ({{marks}})"
    " GROUP BY b.player, b.opened, b.club, g.ruleset, g.tournament, g.opened_at, g.month"
    " ON CONFLICT (player, opened, club) DO UPDATE SET until = excluded.until, changed = excluded.changed, blocks = excluded.blocks,"
    " hands = excluded.hands, points = excluded.points, place = excluded.place"
)
_AT_ONCE = 200  # ids in a statement; both databases bound the number of parameters

_BOARD = msgspec.json.Decoder(ScoreBoard)


def boards(tx: Tx, games: Collection[str]) -> dict[str, ScoreBoard]:
    return {row[0]: _BOARD.decode(row[1]) for row in rows_among(tx, _BOARDS, games)}


def keep_boards(tx: Tx, boards: dict[str, ScoreBoard]) -> None:
    tx.run_many(_KEEP_BOARD, [(game, as_json(board)) for game, board in boards.items()])


def keep_game(tx: Tx, sequence: int, recorded: Recorded, event: GameOpened) -> None:
    at = recorded.stamp.at
    place = (storable(event.tournament), storable(event.round), storable(event.table))
    when = (microseconds(at), f"{at.year:04}-{at.month:02}")
    tx.run(_GAME, (sequence, str(recorded.stream), event.setup.ruleset, *place, *when))


def block_row(opened: int, block: ScoreBlock, since: int, player: str, club: str) -> Params:
    """``player`` is the one it counts for."""
    what = (block.hand, block.at, block.party, block.player, player, club, block.kind, block.rows, block.points)
    return (opened, block.position, block.seat, since, *what)


def keep_blocks(tx: Tx, rows: Iterable[Params]) -> None:
    tx.run_many(_BLOCK, rows)


def end_blocks(tx: Tx, opened: int, sequence: int, ended: BlocksEnded) -> None:
    which = f"{_STANDING} AND {_WHICH[ended.which]}"
    if ended.struck:
        tx.run(f"{_STRUCK} AND {_WHICH[ended.which]}", (sequence, ended.ruling, opened, ended.number))
    tx.run(f"UPDATE score_blocks SET until = ? WHERE {which}", (sequence, opened, ended.number))


def restore_blocks(tx: Tx, opened: int, sequence: int, restored: BlocksRestored) -> None:
    """What a ruling struck counts again; an adjustment of a hand that it took back, which ended without being struck, too."""
    which, values = f"{_BY_RULING} AND (kind <> 'hand' OR hand <= ?)", (opened, restored.ruling, restored.last)
    tx.run(f"{_AGAIN} WHERE {which}", (sequence, *values))
    tx.run(f"UPDATE score_blocks SET until = ? WHERE {which} AND since < ?", (sequence, *values, sequence))
    if restored.adjustments:
        tx.run(f"{_AGAIN} AS b WHERE {_ENDED} ({placeholders(len(restored.adjustments))})", (sequence, opened, *restored.adjustments))


def move_blocks(tx: Tx, sequence: int, counted: str, recorded: Sequence[str], player: str, club: str) -> set[int]:
    """What counted for somebody and was recorded for these now counts for this player and club. Answers the openings of the games.

    ``score_players`` has to be worked out before.
    """
    whose, some = (counted, counted, sequence, *recorded), placeholders(len(recorded))
    tx.run(f"{_MOVED} ({some})", (sequence, player, club, *whose))
    tx.run(f"{_MOVED_AWAY} ({some})", (sequence, *whose))
    return {opened for (opened,) in tx.query(_MOVED_AT, (counted, sequence))}


def keep_places(tx: Tx, opened: int, places: tuple[tuple[str, int | None], ...] | None) -> None:
    tx.run(_UNPLACED, (opened,))
    tx.run(_FINISHED, (int(places is not None), opened))
    tx.run_many(_PLACE, [(opened, player, storable(place)) for player, place in places or () if player != NOBODY])


def work_out(tx: Tx, openings: Iterable[int]) -> None:
    """Games and players' games from the blocks, for the games that were opened at these sequences."""
    ids = sorted(openings)
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        tx.run(f"{_GAMES_ANEW} ({placeholders(len(some))})", some)
        tx.run(_PLAYERS_ANEW.format(marks=placeholders(len(some))), some)
