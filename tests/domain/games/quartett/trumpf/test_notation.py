"""Lines of the Trumpfspiel on positions."""

from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Reading, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import write
from domain.rules import Move
from tests.domain.games.quartett.decks import waters
from tests.domain.games.quartett.positions import Position, trumpf
from tests.each import each
from tests.notation.short import write_short

PERIOD: Move = {"type": "announce", "category": "period", "card": "A1"}


def answer(position: Position, line: str, seat: int = 0, language: str = "en") -> Reading:
    return read(position.rulebook, position.table, seat, line, language)


def test_of_a_large_stack_the_number_of_the_category_is_enough():
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4")
    assert answer(position, "3") == answer(position, "=3") == answer(position, "a1 3") == MoveReading(PERIOD, "A1 =3")
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
    assert answer(position, "=3") == MoveReading(PERIOD, "A1 =3")


def test_a_category_that_the_deck_has_not_is_refused():
    refused = answer(trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"), "7")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "unknown_category"


def test_a_card_that_does_not_lie_on_top_is_refused():
    refused = answer(trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"), "a23")
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "choice_not_allowed"


def test_tops_that_are_shown_are_told_clockwise():
    position = trumpf("? ? ? ?", "? ? ? ?", "? ? ? ?")
    told = MoveFaces({"hand:1": ("B1",), "hand:2": ("C4",)})
    assert answer(position, "a13 !b1 c4") == MoveReading(PERIOD, "A1 =3", told)


def test_a_top_that_is_known_may_be_told_again_or_left_out():
    position = trumpf("? ? ? ?", "B1 ? ? ?", "? ? ? ?")
    assert answer(position, "a13 !b1 c4") == MoveReading(PERIOD, "A1 =3", MoveFaces({"hand:1": ("B1",), "hand:2": ("C4",)}))
    assert answer(position, "a13 !c4") == MoveReading(PERIOD, "A1 =3", MoveFaces({"hand:2": ("C4",)}))


def test_a_place_in_the_stack_is_a_number():
    position = trumpf("A1 A2", "", phase="draw", turn=1, trick=(0, 1), middle={"C1": 0, "C2": 1})
    assert answer(position, "2", 1) == answer(position, "#2", 1) == MoveReading({"type": "draw", "position": 1}, "#2")


def test_sentences_count_places_as_lines_do():
    position = trumpf("A1 A2", "", phase="draw", turn=1, trick=(0, 1), middle={"C1": 0, "C2": 1})
    refused = answer(position, "#3", 1)
    assert isinstance(refused, IllegalReading)
    assert refused.says == "There is no card at place 3 of the stack of seat 0. Draw at a place from 1 (the top) to 2. (QTR-18, QTR-19)"


# Names of categories (NOT-13)


@each("line", ["period", "=Period", "a1 = per", "a1per", "A1 =PERIODE", "iron pe", "=  p"])
@each("language", ["en", "de"])
def test_a_category_may_be_typed_by_its_name_or_its_beginning(line: str, language: str):
    position = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4")
    assert answer(position, line, language=language) == MoveReading(PERIOD, "A1 =3")


def test_a_category_may_be_typed_by_its_id():
    woods = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4", options={"deck_def": "wood"})
    for line, number in (("diameter", 4), ("trunk", 4), ("stammdurch", 4), ("height", 3), ("tree h", 3)):
        found = answer(woods, line)
        assert isinstance(found, MoveReading)
        assert found.written == f"A1 ={number}"


def test_the_beginning_of_several_names_lists_cards_and_categories_in_the_language_of_the_reader():
    woods = trumpf("A1 A2 A3 A4", "B1 B2 B3 B4", options={"deck_def": "wood"})
    either = '"be" may be Beech (H1), Bergahorn (H2) or Bending strength (=5). Type more of the name, or the code.'
    listed = answer(woods, "be")
    assert isinstance(listed, Incomplete)
    assert listed.says == either
    assert answer(woods, "=be") == answer(woods, "=5")
    assert answer(woods, "=du") == answer(woods, "=2")
    listed = answer(woods, "=d", language="de")
    assert isinstance(listed, Incomplete)
    assert listed.says == (
        "„d“ kann Rohdichte (=1), Dauerhaftigkeitsklasse (=2) oder Stammdurchmesser (=4) sein. Bitte mehr vom Namen tippen oder den Code."
    )


def test_an_id_goes_before_a_name_and_a_number_before_both():
    deck = waters()
    deck["categories"][0]["name"], deck["categories"][1]["name"], deck["categories"][2]["name"] = "Width", "3", "0-100 km/h"
    position = trumpf("R1 R2 R3 R4", "B1 B2 B3 B4", options={"deck_def": deck})
    announced: Move = {"type": "announce", "category": "width", "card": "R1"}
    assert [answer(position, line) for line in ("width", "nile 3", "0-100", "r1 0-100 km/h")] == [MoveReading(announced, "R1 =3")] * 4


def test_a_category_is_no_place_where_a_card_is_drawn():
    position = trumpf("A1 A2", "", phase="draw", turn=1, trick=(0, 1), middle={"C1": 0, "C2": 1})
    assert isinstance(answer(position, "#density", 1), Unreadable)
    refused = answer(position, "density", 1)
    assert isinstance(refused, IllegalReading)
    assert refused.refused.code == "wrong_phase"
