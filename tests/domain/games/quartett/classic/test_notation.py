"""Lines of classic Quartett on positions."""

from domain.cards import HIDDEN
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, MoveReading, Reading
from domain.notation.syntax import MoveFaces
from domain.notation.writing import write
from domain.rules import Move
from domain.table import Table, fold
from tests.domain.games.quartett.positions import CLASSIC, METALS, Position, classic
from tests.notation.short import write_short

A2: Move = {"type": "ask", "target": 1, "card": "A2"}


def unknown() -> Position:
    position = Position(CLASSIC.bind(METALS, 3), [])
    table = Table(position.rulebook.setup)
    position.table = fold(table, position.rulebook.deal(table, 2, (HIDDEN,) * 12))
    return position


def answer(position: Position, line: str) -> Reading:
    return read(position.rulebook, position.table, 0, line, "en")


def test_the_seat_may_be_left_out_where_one_is_left():
    position = classic("A1 A3 B1", "A2 B2", "")
    assert answer(position, "a2") == answer(position, "1a2") == answer(position, "@1?a2") == MoveReading(A2, "@1 ? A2")
    assert write_short(position.rulebook, position.table, 0, A2, "en") == "a2"


def test_otherwise_both_seats_are_offered():
    position = classic("A1 A3 B1", "A2 B2", "A4")
    several = answer(position, "a2")
    assert isinstance(several, Ambiguous)
    assert several.says == "@1 ? A2 or @2 ? A2?"
    assert write_short(position.rulebook, position.table, 0, A2, "en") == "1a2"


def test_a_card_that_is_asked_for_by_its_name_is_written_by_its_id():
    assert write(unknown().rulebook, {"type": "ask", "target": 1, "card": "Copper"}, "en") == "@1 ? A2"


def test_an_own_card_is_refused_as_the_rules_refuse_it():
    refused = answer(classic("A1 A3 B1", "A2 B2", "A4"), "1a1")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "card_already_held"


def test_whether_the_seat_has_the_card_stands_behind_the_question():
    assert answer(unknown(), "1a2!") == MoveReading(A2, "@1 ? A2", MoveFaces({"hand:1": ("A2",)}))
    assert answer(unknown(), "1a2~") == answer(unknown(), "@1 ? A2 ~") == MoveReading(A2, "@1 ? A2", MoveFaces(lacks={"hand:1": ("A2",)}))


def test_the_quartet_that_is_laid_is_told_with_the_other_three_cards():
    assert answer(unknown(), "1a2!=") == MoveReading(A2, "@1 ? A2", MoveFaces({"hand:1": ("A2",), "hand:0": ("A1", "A3", "A4")}))
