"""Lines of the Trumpfspiel on positions."""

from domain.notation.answers import Ambiguous, Impossible, Meant, Reading
from domain.notation.grammar import MoveFaces
from domain.notation.reading import read
from domain.notation.writing import write
from domain.rules import Move
from tests.domain.games.quartett.positions import Position, trumpf
from tests.notation.short import write_short

PERIOD: Move = {"type": "announce", "category": "period", "card": "A1"}


def answer(position: Position, line: str, seat: int = 0) -> Reading:
    return read(position.rulebook, position.table, seat, line, "en")


def test_of_a_large_stack_the_number_of_the_category_is_enough():
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4")
    assert answer(position, "3") == answer(position, "=3") == answer(position, "a1 3") == Meant(PERIOD, "A1 =3")
    assert write_short(position.rulebook, position.table, 0, PERIOD, "en") == "3"


def test_of_three_cards_the_card_has_to_be_named():
    position = trumpf("A1 A2 A3", "B1 B2 B3 B4")
    several = answer(position, "3")
    assert isinstance(several, Ambiguous)
    assert several.says == "A1, A2 or A3?"
    assert write_short(position.rulebook, position.table, 0, PERIOD, "en") == "a13"


def test_an_announcement_that_names_no_card_is_written_without_one_and_read_as_the_top_one():
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4")
    assert write(position.rulebook, {"type": "announce", "category": "period"}, "en") == "=3"
    assert answer(position, "=3") == Meant(PERIOD, "A1 =3")


def test_a_category_that_the_deck_has_not_is_refused():
    refused = answer(trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"), "7")
    assert isinstance(refused, Impossible)
    assert refused.refused.code == "unknown_category"


def test_a_card_that_does_not_lie_on_top_is_refused():
    refused = answer(trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"), "a23")
    assert isinstance(refused, Impossible)
    assert refused.refused.code == "choice_not_allowed"


def test_tops_that_are_shown_are_told_clockwise():
    position = trumpf("? ? ? ?", "? ? ? ?", "? ? ? ?")
    told = MoveFaces({"hand:1": ("B1",), "hand:2": ("C4",)})
    assert answer(position, "a13 !b1 c4") == Meant(PERIOD, "A1 =3", told)


def test_a_top_that_is_known_may_be_told_again_or_left_out():
    position = trumpf("? ? ? ?", "B1 ? ? ?", "? ? ? ?")
    assert answer(position, "a13 !b1 c4") == Meant(PERIOD, "A1 =3", MoveFaces({"hand:1": ("B1",), "hand:2": ("C4",)}))
    assert answer(position, "a13 !c4") == Meant(PERIOD, "A1 =3", MoveFaces({"hand:2": ("C4",)}))


def test_a_place_in_the_stack_is_a_number():
    position = trumpf("A1 A2", "", phase="draw", turn=1, trick=(0, 1), middle={"C1": 0, "C2": 1})
    assert answer(position, "2", 1) == answer(position, "#2", 1) == Meant({"type": "draw", "position": 1}, "#2")


def test_sentences_count_places_as_lines_do():
    position = trumpf("A1 A2", "", phase="draw", turn=1, trick=(0, 1), middle={"C1": 0, "C2": 1})
    refused = answer(position, "#3", 1)
    assert isinstance(refused, Impossible)
    assert refused.says == "There is no card at place 3 of the stack of seat 0. Draw at a place from 1 (the top) to 2. (QTR-18, QTR-19)"
