"""What a reported hand does to the table: it clears it, and writes its result on the sheet."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.cards import Seat
from domain.effects import Effect, HandClosed, HandOpened, Scored
from domain.events.game import HandResult
from domain.score import REPORTED, RESULT
from domain.setup import Setup


def reported(setup: Setup, hand: int, dealer: Seat, result: HandResult, end: str | None) -> Iterator[Effect]:
    """The whole hand in the words of every hand. ``hand`` is its number; ``end``: how it ended, ``None`` where nobody knows."""
    yield HandOpened(hand, dealer)
    yield from _lines(setup, result)
    yield HandClosed(REPORTED if end is None else end, {REPORTED: True})


def _lines(setup: Setup, result: HandResult) -> Iterator[Scored]:
    """The rows as they were told, the others with nothing. Where nobody told them the points stand in the one row of the game, else in
    ``result``."""
    if result.rows is UNSET:
        yield Scored(setup.rows[0] if len(setup.rows) == 1 else RESULT, result.points)
        return
    nothing = (0,) * len(setup.parties)
    yield from (Scored(row, result.rows.get(row, nothing)) for row in setup.rows)
