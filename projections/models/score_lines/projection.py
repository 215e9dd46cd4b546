"""Score lines of all games: the lines of every event on the sheets, as versions with the sequences between which they were valid
(``tables.py``).
"""

from collections.abc import Iterable
from functools import cache

from domain.events import Event, Recorded
from domain.events.game import GameOpened, SeatAct
from domain.events.player import NAMES as PLAYER_EVENTS
from domain.events.player import PlayerClubChanged, PlayerMerged, PlayerRegistered, PlayerSeparated
from domain.events.tournament import NAMES as TOURNAMENT_EVENTS
from domain.tournament.games import PersonOf
from projections.engine.store import Batch, Params, Projection, Transaction, placeholders, rows_by_ids
from projections.models.folded_scores import writes_on_sheet
from projections.models.score_lines import rated_games, table_results, tables
from projections.models.score_lines.boards import (
    BlocksAssigned,
    BlocksEnded,
    BlocksRestored,
    Change,
    Places,
    PlacesChanged,
    ScoreBlock,
    ScoreBoard,
    advance_board,
    list_start_blocks,
    open_board,
)
from projections.models.score_lines.table_results import ResultChange, TableResults
from projections.models.score_lines.tables import COLUMNS, FOREVER, STRUCK, move_blocks
from projections.models.table_games import has_table_effect
from projections.values import microseconds, to_stored_value

# Lines that a ruling struck out count again once it was overturned. Blocks are versions: those that count again are written once more.


_ONCE_MORE = {"since": "CAST(? AS BIGINT)", "until": str(FOREVER), "status": "CAST(? AS INTEGER)", "ruling": "NULL"}
_AGAIN = (
    f"INSERT INTO score_blocks ({COLUMNS}) SELECT {', '.join(_ONCE_MORE.get(column, column) for column in COLUMNS.split(', '))}"
    " FROM score_blocks AS b WHERE "
)
_BY_RULING = f"opened = ? AND until = {FOREVER} AND status = {STRUCK} AND ruling = ? AND (kind <> 'hand' OR hand <= ?)"
_ENDED = (
    f"opened = ? AND kind = 'adjustment' AND until < {FOREVER} AND NOT EXISTS (SELECT 1 FROM score_blocks AS n"
    " WHERE n.opened = b.opened AND n.position = b.position AND n.seat = b.seat AND n.since > b.since) AND position IN"
)


def restore_blocks(tx: Transaction, opened: int, sequence: int, restored: BlocksRestored, status: int) -> None:
    """Write restored blocks again. ``status`` is that of lines that count in this game now. An adjustment of a hand that was taken back
    ended without being struck.
    """
    ruled = (opened, restored.ruling, restored.last)
    tx.run(f"{_AGAIN}{_BY_RULING}", (sequence, status, *ruled))
    tx.run(f"UPDATE score_blocks SET until = ? WHERE {_BY_RULING} AND since < ?", (sequence, *ruled, sequence))
    if restored.adjustments:
        marks = placeholders(len(restored.adjustments))
        tx.run(f"{_AGAIN}{_ENDED} ({marks})", (sequence, status, opened, *restored.adjustments))


# The player and club for which score lines count: mergers and clubs, from the events of the directory.


NO_CLUB = ""

TABLES = {
    "score_people": (
        "CREATE TABLE score_people (player TEXT PRIMARY KEY, stream TEXT NOT NULL, club TEXT NOT NULL, merged TEXT, root TEXT NOT NULL)",
        "CREATE INDEX score_people_root ON score_people (root)",
        "CREATE INDEX score_people_stream ON score_people (stream)",
    ),
}
_REGISTER = (
    "INSERT INTO score_people (player, stream, club, merged, root) VALUES (?, ?, ?, NULL, ?)"
    " ON CONFLICT (player) DO UPDATE SET stream = excluded.stream, club = excluded.club"
)
_ROOTS = (
    "SELECT p.player, p.root, COALESCE(r.club, '') FROM score_people AS p LEFT JOIN score_people AS r ON r.player = p.root"
    " WHERE p.player IN"
)
_GROUP = "SELECT player FROM score_people WHERE root = ? UNION SELECT player FROM score_people WHERE player = ? ORDER BY player"


def counts_for(tx: Transaction, players: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the player for whom the lines of each count, and that one's club. A player who is not registered counts for themselves."""
    distinct = tuple(dict.fromkeys(players))
    known = {row[0]: (row[1], row[2]) for row in rows_by_ids(tx, _ROOTS, distinct)}
    return {player: known.get(player, (player, NO_CLUB)) for player in distinct}


def person_of(tx: Transaction) -> PersonOf:
    """Return a function from an id to the one it counts under, as it is now."""
    return cache(lambda player: counts_for(tx, [to_stored_value(player)])[to_stored_value(player)][0])


def group_of(tx: Transaction, recorded: Recorded) -> list[str]:
    """Return the ids that count for the same person as the one that the event is about; none for one that is not registered."""
    roots = tx.query("SELECT root FROM score_people WHERE stream = ?", (str(recorded.stream),))
    return [one for (root,) in roots for (one,) in tx.query(_GROUP, (root, root))]


def apply_event(tx: Transaction, sequence: int, recorded: Recorded) -> set[int]:
    """Apply an event of the directory. Return the openings of the games whose lines count for another player or club from now on."""
    event = recorded.event
    if isinstance(event, PlayerRegistered):
        player = to_stored_value(event.player)
        before = counts_for(tx, [player])[player]
        tx.run(_REGISTER, (player, str(recorded.stream), to_stored_value(event.club) or NO_CLUB, player))
        return _update_lines(tx, sequence, player, *before)
    if not isinstance(event, PlayerClubChanged | PlayerMerged | PlayerSeparated):
        return set()
    for (player,) in tx.query("SELECT player FROM score_people WHERE stream = ?", (str(recorded.stream),)):
        before = counts_for(tx, [player])[player]
        _note(tx, player, event)
        return _update_lines(tx, sequence, player, *before)
    return set()


def _note(tx: Transaction, player: str, event: Event) -> None:
    match event:
        case PlayerClubChanged(club=club):
            tx.run("UPDATE score_people SET club = ? WHERE player = ?", (to_stored_value(club) or NO_CLUB, player))
        case PlayerMerged(into=into):
            tx.run("UPDATE score_people SET merged = ? WHERE player = ?", (to_stored_value(into), player))
        case PlayerSeparated():
            tx.run("UPDATE score_people SET merged = NULL WHERE player = ?", (player,))


def _update_lines(tx: Transaction, sequence: int, player: str, root: str, club: str) -> set[int]:
    """Move the lines of the player, and of all who counted for the same root, if they count for another player or club now."""
    merged: dict[str, str] = dict(tx.query("SELECT player, merged FROM score_people WHERE merged IS NOT NULL"))
    group = [one for (one,) in tx.query(_GROUP, (root, player))]
    tx.run_many("UPDATE score_people SET root = ? WHERE player = ?", [(_root(merged, one), one) for one in group])
    after: dict[tuple[str, str], list[str]] = {}
    for one, counts in counts_for(tx, group).items():
        after.setdefault(counts, []).append(one)
    moved: set[int] = set()
    for counts, some in after.items():
        if counts != (root, club):
            moved |= move_blocks(tx, sequence, root, some, *counts)
    return moved


def _root(merged: dict[str, str], player: str) -> str:
    """Return the last player of a chain of mergers. A circle (damaged history) ends where it would begin again."""
    seen = {player}
    while player in merged and merged[player] not in seen:
        player = merged[player]
        seen.add(player)
    return player


def _apply(tx: Transaction, batch: Batch) -> None:
    batch = [one for one in batch if _has_effect(one[1])]
    writer = _BatchWriter(tx, _boards(tx, batch), TableResults(tx, batch))
    for sequence, recorded in batch:
        writer.take(sequence, recorded)
    writer.finish()


def _boards(tx: Transaction, batch: Batch) -> dict[str, ScoreBoard]:
    """Return the boards of the games on whose sheets something is written."""
    return tables.boards(tx, {str(recorded.stream) for _, recorded in batch if recorded.position > 1 and _is_of_board(recorded)})


def _has_effect(recorded: Recorded) -> bool:
    kind = type(recorded.event)
    return kind in PLAYER_EVENTS or kind in TOURNAMENT_EVENTS or has_table_effect(recorded)


def _is_of_board(recorded: Recorded) -> bool:
    return isinstance(recorded.event, SeatAct) or writes_on_sheet(recorded)


class _BatchWriter:
    """Applies one batch. Blocks are gathered and written together; values computed from them are computed once a game."""

    def __init__(self, tx: Transaction, boards: dict[str, ScoreBoard], results: TableResults) -> None:
        self._tx = tx
        self._boards = boards
        self._kept = dict(boards)
        self._results = results
        self._opened: list[Params] = []
        self._fresh: list[tuple[int, int, ScoreBlock, int]] = []
        self._placed: dict[int, Places | None] = {}
        self._touched: set[int] = set()
        self._at = 0
        """The moment of the last event taken."""

    def _open(self, sequence: int, recorded: Recorded, event: GameOpened) -> None:
        game = str(recorded.stream)
        self._boards[game] = board = open_board(sequence, recorded, event)
        self._opened.append(tables.game_row(sequence, recorded, event))
        bears = self._results.note_game(sequence, recorded)
        self._change(board, game, sequence, tuple(list_start_blocks(board, recorded)))
        if bears:
            self._turn(sequence, recorded, self._results.of_game(sequence, game, person_of(self._tx)))

    def _go_on(self, sequence: int, recorded: Recorded) -> None:
        """Apply an event of a known game. A game whose opening could not be read has no board, and no lines."""
        game = str(recorded.stream)
        board = self._boards.get(game)
        bears = self._results.note_game(sequence, recorded)
        if board is not None:
            self._boards[game], changes = advance_board(board, recorded)
            self._change(board, game, sequence, changes)
        if bears:
            self._turn(sequence, recorded, self._results.of_game(sequence, game, person_of(self._tx)))

    def _update_counts(self, sequence: int, recorded: Recorded) -> None:
        self._work_out()
        before = group_of(self._tx, recorded)
        self._touched |= apply_event(self._tx, sequence, recorded)
        self._turn(sequence, recorded, self._results.of_person(sequence, before, person_of(self._tx)))

    def finish(self) -> None:
        self._work_out()
        tables.keep_boards(self._tx, {game: board for game, board in self._boards.items() if board is not self._kept.get(game)})
        self._results.keep()

    def _change(self, board: ScoreBoard, game: str, sequence: int, changes: tuple[Change, ...]) -> None:
        status = tables.SUPERSEDED if changes and self._results.has_other_result(game) else tables.COUNTED
        for change in changes:
            self._touched.add(board.opened)
            match change:
                case ScoreBlock():
                    self._fresh.append((board.opened, sequence, change, status))
                case BlocksEnded():
                    self._write()
                    tables.end_blocks(self._tx, board.opened, sequence, change)
                case BlocksRestored():
                    self._write()
                    restore_blocks(self._tx, board.opened, sequence, change, status)
                case BlocksAssigned(players=players):
                    self._write()
                    tables.assign_blocks(self._tx, board.opened, sequence, change, counts_for(self._tx, players))
                case PlacesChanged(places=places):
                    self._placed[board.opened] = places

    def _turn(self, sequence: int, recorded: Recorded, changes: Iterable[ResultChange]) -> None:
        """Let the result of a table count instead of its games, or its games count again."""
        for change in changes:
            self._write()
            self._touched |= {change.opened, *change.games}
            tables.end_result(self._tx, change.opened, sequence)
            if change.after is not None:
                tables.keep_table(self._tx, change.opened, change.ruleset, *change.key)
                at = microseconds(recorded.stamp.at)
                self._fresh += [(change.opened, sequence, block, tables.COUNTED) for block in change.after.blocks(at)]
            self._placed[change.opened] = change.after.places if change.after else None
            if (change.before is None) != (change.after is None):
                tables.turn_blocks(self._tx, sequence, change.games, superseded=change.after is not None)

    def take(self, sequence: int, recorded: Recorded) -> None:
        event, self._at = recorded.event, microseconds(recorded.stamp.at)
        if type(event) in PLAYER_EVENTS:
            self._update_counts(sequence, recorded)
        elif isinstance(event, GameOpened) and recorded.position == 1:
            self._open(sequence, recorded, event)
        elif type(event) in TOURNAMENT_EVENTS:
            self._turn(sequence, recorded, self._results.of_tournament(sequence, recorded, person_of(self._tx)))
        else:
            self._go_on(sequence, recorded)

    def _write(self) -> None:
        tables.keep_games(self._tx, self._opened)
        counts = counts_for(self._tx, (block.player for _, _, block, _ in self._fresh))
        rows = [tables.block_row(opened, block, since, status, *counts[block.player]) for opened, since, block, status in self._fresh]
        tables.keep_blocks(self._tx, rows)
        tables.keep_places(self._tx, self._placed)
        for gathered in (self._opened, self._fresh, self._placed):
            gathered.clear()

    def _work_out(self) -> None:
        self._write()
        tables.work_out(self._tx, self._touched)
        rated_games.note_results(self._tx, self._touched, self._at)
        self._touched.clear()


SCORE_LINES = Projection(
    name="score_lines",
    version=9,
    tables={**tables.TABLES, **TABLES, **table_results.TABLES, **rated_games.TABLES},
    apply=_apply,
    known=tables.KNOWN,
    plain_moves=False,
    update=rated_games.update_ratings,
)
