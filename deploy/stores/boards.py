"""SQL of the register of prepared boards, shared by both databases."""

from collections.abc import Sequence
from typing import Any

import msgspec

from deploy.stores.statements import Statements
from domain.journal.commits import Board, CommandKey, PreparedBoard

_WHERE = "WHERE tournament = ? AND round = ? AND board = ?"
_PREPARE = "INSERT INTO prepared_boards (tournament, round, board, deck, prepared_at, prepared_by) VALUES (?, ?, ?, ?, ?, ?)"
# For a board that was dealt the deck becomes NULL. The table refuses that, and so the whole list is refused.
_REPLACE = (
    f"{_PREPARE} ON CONFLICT (tournament, round, board) DO UPDATE SET"
    " deck = CASE WHEN prepared_boards.dealt = 0 THEN excluded.deck END,"
    " prepared_at = excluded.prepared_at, prepared_by = excluded.prepared_by"
)
_LIST = "SELECT round, board, prepared_at, prepared_by, dealt FROM prepared_boards WHERE tournament = ? ORDER BY round, board"

LIES = f"SELECT 1 FROM prepared_boards {_WHERE} AND deck = ?"
"""Finds a board that still has exactly this deck. Parameters: those of ``columns_of``."""

DEALT = f"UPDATE prepared_boards SET dealt = 1 {_WHERE} AND deck = ?"
"""Marks the board as dealt, within the transaction of the deal. The same parameters."""


def columns_of(board: Board) -> tuple[Any, ...]:
    return (board.tournament, board.round, board.number, msgspec.json.encode(board.deck).decode())


class BoardsSql(Statements):
    """Boards part of ``Registers``."""

    def prepare_boards(self, boards: Sequence[Board], at: str, by: str, *, replace: bool, command: CommandKey | None = None) -> None:
        sql = _REPLACE if replace else _PREPARE
        self.change_together(*((sql, (*columns_of(board), at, by)) for board in boards), *self.key_of(command))

    def find_board(self, tournament: str, round: int, number: int) -> Board | None:
        found = self.query(f"SELECT deck FROM prepared_boards {_WHERE}", (tournament, round, number))
        return next((Board(tournament, round, number, msgspec.json.decode(deck, type=tuple[str, ...])) for (deck,) in found), None)

    def list_boards(self, tournament: str) -> list[PreparedBoard]:
        rows = self.query(_LIST, (tournament,))
        return [PreparedBoard(round, number, at, by, bool(dealt)) for round, number, at, by, dealt in rows]
