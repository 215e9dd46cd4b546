"""Where there are more legal moves than anybody could list, or more ways to cut a line, only so much is looked at as is needed."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.notation.letters import Cut, Move
from domain.notation.meaning import meaning_of
from domain.notation.reading import read
from domain.notation.reading_types import Incomplete, MoveReading, Option
from domain.notation.syntax import Meaning, MoveContext, Notation
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
    assert read(rules, position.table, 0, "", "en") == MoveReading(TAKE, "x")


def test_without_a_plain_step_the_first_moves_are_offered():
    rules, position = endless(SEVENS)
    answer = read(rules, position.table, 0, ".", "en")
    assert isinstance(answer, Incomplete)
    assert answer.options == (Option(SEVENS, "77"),) * 50


def test_of_moves_that_are_legal_alike_only_the_first_is_judged():
    position = Position("7 7 9", "9", pile="5")
    judged: list[Move] = []
    notation = replace(notation_of(position.rulebook), judge=lambda _, __, move, ___: judged.append(move))
    situation = MoveContext(notation, position.table, 0)
    assert [situation.is_legal(move, "of one kind") for move in (SEVENS, TAKE)] == [True, True]
    assert judged == [SEVENS]


def test_no_further_way_to_cut_a_line_is_looked_at_once_it_has_enough_meanings():
    position = Position("1 10 10", "9", pile="5")
    notation = notation_of(position.rulebook)
    cuts: list[Cut] = []

    def fitting(situation: MoveContext, cut: Cut) -> Meaning:
        cuts.append(cut)
        return Meaning((TAKE, SEVENS))

    situation = MoveContext(replace(notation, grammar=replace(notation.grammar, fitting=fitting)), position.table, 0)
    assert meaning_of(situation, "1010", "en", most=1) == Meaning((SEVENS, TAKE), sure=False)
    assert len(cuts) == 1
    assert meaning_of(situation, "1010", "en") == Meaning((SEVENS, TAKE))
    assert len(cuts) > 2
