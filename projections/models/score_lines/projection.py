"""Score lines: what every event wrote on the sheets, as versions that say from when until when they were true (``tables.py``)."""

from collections.abc import Iterable

from domain.events import Recorded
from domain.events.game import GameOpened, PlayerSeated
from domain.events.player import NAMES as PLAYER_EVENTS
from domain.events.tournament import NAMES as TOURNAMENT_EVENTS
from projections.engine.projection import Batch, Projection
from projections.engine.store import Params, Tx
from projections.models.folded_scores import writes_on_sheet
from projections.models.score_lines import lifting, people, table_results, tables
from projections.models.score_lines.boards import (
    BlocksEnded,
    BlocksRestored,
    Change,
    Places,
    PlacesChanged,
    ScoreBlock,
    ScoreBoard,
    advanced,
    opened_board,
    started,
)
from projections.models.score_lines.table_results import ResultChange, TableResults
from projections.models.table_games import bears_on_table
from projections.values import microseconds


def _apply(tx: Tx, batch: Batch) -> None:
    batch = [one for one in batch if _concerns(one[1])]
    writer = _BatchWriter(tx, _boards(tx, batch), TableResults(tx, batch))
    for sequence, recorded in batch:
        event = recorded.event
        if type(event) in PLAYER_EVENTS:
            writer.count_anew(sequence, recorded)
        elif isinstance(event, GameOpened) and recorded.position == 1:
            writer.open(sequence, recorded, event)
        elif type(event) in TOURNAMENT_EVENTS:
            writer.direct(sequence, recorded)
        else:
            writer.go_on(sequence, recorded)
    writer.finish()


def _boards(tx: Tx, batch: Batch) -> dict[str, ScoreBoard]:
    """Of the games on whose sheets something is written."""
    return tables.boards(tx, {str(recorded.stream) for _, recorded in batch if recorded.position > 1 and _is_of_board(recorded)})


def _concerns(recorded: Recorded) -> bool:
    kind = type(recorded.event)
    return kind in PLAYER_EVENTS or kind in TOURNAMENT_EVENTS or bears_on_table(recorded)


def _is_of_board(recorded: Recorded) -> bool:
    return isinstance(recorded.event, PlayerSeated) or writes_on_sheet(recorded)


class _BatchWriter:
    """Applies one batch. Blocks are gathered and written together; what is computed from them is computed once a game."""

    def __init__(self, tx: Tx, boards: dict[str, ScoreBoard], results: TableResults) -> None:
        self._tx = tx
        self._boards = boards
        self._kept = dict(boards)
        self._results = results
        self._opened: list[Params] = []
        self._fresh: list[tuple[int, int, ScoreBlock, int]] = []
        self._placed: dict[int, Places | None] = {}
        self._touched: set[int] = set()

    def open(self, sequence: int, recorded: Recorded, event: GameOpened) -> None:
        game = str(recorded.stream)
        self._boards[game] = board = opened_board(sequence, recorded, event)
        self._opened.append(tables.game_row(sequence, recorded, event))
        bears = self._results.note_game(sequence, recorded)
        self._change(board, game, sequence, tuple(started(board, recorded)))
        if bears:
            self._turn(sequence, recorded, self._results.of_game(sequence, game, people.person_of(self._tx)))

    def go_on(self, sequence: int, recorded: Recorded) -> None:
        """A game whose opening could not be read has no board, and no lines."""
        game = str(recorded.stream)
        board = self._boards.get(game)
        bears = self._results.note_game(sequence, recorded)
        if board is not None:
            self._boards[game], changes = advanced(board, recorded)
            self._change(board, game, sequence, changes)
        if bears:
            self._turn(sequence, recorded, self._results.of_game(sequence, game, people.person_of(self._tx)))

    def direct(self, sequence: int, recorded: Recorded) -> None:
        self._turn(sequence, recorded, self._results.of_tournament(sequence, recorded, people.person_of(self._tx)))

    def count_anew(self, sequence: int, recorded: Recorded) -> None:
        self._work_out()
        before = people.group_of(self._tx, recorded)
        self._touched |= people.apply_event(self._tx, sequence, recorded)
        self._turn(sequence, recorded, self._results.of_person(sequence, before, people.person_of(self._tx)))

    def finish(self) -> None:
        self._work_out()
        tables.keep_boards(self._tx, {game: board for game, board in self._boards.items() if board is not self._kept.get(game)})
        self._results.keep()

    def _change(self, board: ScoreBoard, game: str, sequence: int, changes: tuple[Change, ...]) -> None:
        status = tables.SUPERSEDED if changes and self._results.superseded(game) else tables.COUNTED
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
                    lifting.restore_blocks(self._tx, board.opened, sequence, change, status)
                case PlacesChanged(places=places):
                    self._placed[board.opened] = places

    def _turn(self, sequence: int, recorded: Recorded, changes: Iterable[ResultChange]) -> None:
        """What a table came to counts instead of its games, or its games count again."""
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

    def _write(self) -> None:
        tables.keep_games(self._tx, self._opened)
        counts = people.counts_for(self._tx, (block.player for _, _, block, _ in self._fresh))
        rows = [tables.block_row(opened, block, since, status, *counts[block.player]) for opened, since, block, status in self._fresh]
        tables.keep_blocks(self._tx, rows)
        tables.keep_places(self._tx, self._placed)
        for gathered in (self._opened, self._fresh, self._placed):
            gathered.clear()

    def _work_out(self) -> None:
        self._write()
        tables.work_out(self._tx, self._touched)
        self._touched.clear()


SCORE_LINES = Projection(
    name="score_lines",
    version=5,
    tables={**tables.TABLES, **people.TABLES, **table_results.TABLES},
    apply=_apply,
    known=tables.KNOWN,
    plain_moves=False,
)
