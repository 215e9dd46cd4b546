"""Score lines: what every event wrote on the sheets, as versions that say from when until when they were true (``tables.py``)."""

from domain.events import Recorded
from domain.events.game import GameOpened, PlayerSeated
from domain.events.player import PlayerEvent
from domain.events.tournament import TournamentEvent
from projections.engine.projection import Batch, Projection
from projections.engine.store import Tx
from projections.models.folded_scores import writes_on_sheet
from projections.models.score_lines import people, tables
from projections.models.score_lines.boards import (
    BlocksEnded,
    BlocksRestored,
    Change,
    PlacesChanged,
    ScoreBlock,
    ScoreBoard,
    advanced,
    started,
)


def _apply(tx: Tx, batch: Batch) -> None:
    writer = _BatchWriter(tx, _boards(tx, batch))
    for sequence, recorded in batch:
        event = recorded.event
        if isinstance(event, PlayerEvent):
            writer.count_anew(sequence, recorded)
        elif isinstance(event, GameOpened) and recorded.position == 1:
            writer.open(sequence, recorded, event)
        elif not isinstance(event, TournamentEvent):
            writer.go_on(sequence, recorded)
    writer.finish()


def _boards(tx: Tx, batch: Batch) -> dict[str, ScoreBoard]:
    """Of the games on whose sheets something is written."""
    return tables.boards(tx, {str(recorded.stream) for _, recorded in batch if _concerns(recorded)})


def _concerns(recorded: Recorded) -> bool:
    return recorded.position > 1 and (isinstance(recorded.event, PlayerSeated) or writes_on_sheet(recorded))


class _BatchWriter:
    """Applies one batch. Blocks are gathered and written together; what is computed from them is computed once a game."""

    def __init__(self, tx: Tx, boards: dict[str, ScoreBoard]) -> None:
        self._tx = tx
        self._boards = boards
        self._kept = dict(boards)
        self._fresh: list[tuple[int, int, ScoreBlock]] = []
        self._touched: set[int] = set()

    def open(self, sequence: int, recorded: Recorded, event: GameOpened) -> None:
        board = ScoreBoard(sequence, event.setup, event.players)
        self._boards[str(recorded.stream)] = board
        tables.keep_game(self._tx, sequence, recorded, event)
        self._change(board, sequence, tuple(started(board, recorded)))

    def go_on(self, sequence: int, recorded: Recorded) -> None:
        """A game whose opening could not be read has no board, and no lines."""
        board = self._boards.get(str(recorded.stream))
        if board is not None:
            self._boards[str(recorded.stream)], changes = advanced(board, recorded)
            self._change(board, sequence, changes)

    def count_anew(self, sequence: int, recorded: Recorded) -> None:
        self._work_out()
        self._touched |= people.apply_event(self._tx, sequence, recorded)

    def finish(self) -> None:
        self._work_out()
        tables.keep_boards(self._tx, {game: board for game, board in self._boards.items() if board is not self._kept.get(game)})

    def _change(self, board: ScoreBoard, sequence: int, changes: tuple[Change, ...]) -> None:
        for change in changes:
            self._touched.add(board.opened)
            match change:
                case ScoreBlock():
                    self._fresh.append((board.opened, sequence, change))
                case BlocksEnded():
                    self._write()
                    tables.end_blocks(self._tx, board.opened, sequence, change)
                case BlocksRestored():
                    self._write()
                    tables.restore_blocks(self._tx, board.opened, sequence, change)
                case PlacesChanged(places=places):
                    tables.keep_places(self._tx, board.opened, places)

    def _write(self) -> None:
        counts = people.counts_for(self._tx, (block.player for _, _, block in self._fresh))
        rows = [tables.block_row(opened, block, since, *counts[block.player]) for opened, since, block in self._fresh]
        tables.keep_blocks(self._tx, rows)
        self._fresh.clear()

    def _work_out(self) -> None:
        self._write()
        tables.work_out(self._tx, self._touched)
        self._touched.clear()


SCORE_LINES = Projection(name="score_lines", version=1, tables={**tables.TABLES, **people.TABLES}, apply=_apply, known=tables.KNOWN)
