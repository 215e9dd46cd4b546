"""Where there are more legal moves than anybody could list, the empty line looks at the first ones only."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.notation.answers import Incomplete, Meant, Option
from domain.notation.grammar import Notation
from domain.notation.reading import read
from domain.notation.units import Move
from domain.notation.writing import notation_of
from domain.table import Table
from tests.domain.games.alcasan.positions import Position

TAKE: Move = {"type": "take"}
SEVENS: Move = {"type": "lay", "cards": ("7", "7")}


class Rules(Struct):
    """A rulebook, as far as the notation needs it."""

    notation: Notation | None


def endless(first: Move) -> tuple[Rules, Position]:
    """A list that begins with a move and never ends."""
    position = Position("7 7 9", "9", pile="5")
    notation = notation_of(position.rulebook)

    def legal(table: Table, seat: Seat) -> Iterator[Move]:
        yield first
        while True:
            yield SEVENS

    return Rules(replace(notation, legal=legal, grammar=replace(notation.grammar, plain="take"))), position


def test_the_plain_next_step_is_meant_however_many_moves_there_are_besides():
    rules, position = endless(TAKE)
    assert read(rules, position.table, 0, "", "en") == Meant(TAKE, "x")


def test_without_a_plain_step_the_first_moves_are_offered():
    rules, position = endless(SEVENS)
    answer = read(rules, position.table, 0, ".", "en")
    assert isinstance(answer, Incomplete)
    assert answer.options == (Option(SEVENS, "77"),) * 50
