"""Examples from published rules of Canasta, as far as these rules agree with them; the sources stand beside each."""

from tests.domain.games.canasta.positions import Position
from tests.each import each


def test_three_kings_or_four_fives_are_a_meld_and_a_sequence_is_none():
    # "Canasta rules as defined by Hoyle's Rules of Games" (edocr.com): three kings or four fives, but not 4-5-6.
    hand = "KS KH KD 5S 5H 5D 5C 4S 6S"
    assert Position(hand, melds={0: "A: AS AS AH"}).lay("K: KS KH KD, 5: 5S 5H 5D 5C")
    assert Position(hand, melds={0: "A: AS AS AH"}).laying_refused("5: 4S 5S 6S")[0] == "rank_mismatch"


@each(("text", "legal"), [("9: 9S 9H 2S 2H 2D JK", False), ("9: 9S 9H 9D 2S 2H 2D", True)])
def test_a_meld_of_six_has_at_least_three_natural_cards(text: str, legal: bool):
    # pagat.com, Classic Canasta: no more than three wild cards, so six cards need three natural ones and a canasta four.
    position = Position("9S 9H 9D 2S 2H 2D JK 5S 6S", melds={0: "A: AS AS AH"})
    assert position.lay(text) if legal else position.laying_refused(text)[0] == "too_many_wilds"


def test_a_pair_of_fives_takes_a_five_and_the_other_five_of_the_pile_joins_afterwards():
    # pagat.com, Classic Canasta: two fives, a five on top and another one in the pile; it counts for the minimum only later.
    position = Position("5S 5H QS QH QD 4S 4H", pile="5C 9D 5D", phase="draw", minimums=(15, 50))
    position.take("5", "5S 5H")
    position.lay("5: 5C")
    assert position.melds(0) == {"5": "5S 5H 5D 5C"}


def test_a_pair_of_sevens_makes_a_canasta_of_a_meld_of_four_with_a_frozen_pile():
    # A question answered on a page of rules (emcpa.eu): two sevens in hand and a seven on top join the meld, and the pile is taken.
    position = Position("7S 7H KS KH", melds={0: "7: 7S 7H 7D 7C"}, pile="2D 7D", pile_marks={"frozen": "2D"}, phase="draw")
    position.take("7", "7S 7H")
    assert position.view["melds"][0]["7"]["canasta"] == "natural"
    assert position.held(0) == "KS KH 2D"


def test_a_natural_and_a_wild_card_take_an_open_pile_after_the_first_melds_only():
    # "Canasta card game tips" (krotbat.blogg.se): two natural cards at first; one natural and one wild card afterwards.
    assert Position("9S 2D KS KH", melds={0: "A: AS AS AH"}, pile="9D", phase="draw").take("9", "9S 2D")
    assert Position("9S 2D KS KH", pile="9D", phase="draw").taking_refused("9", "9S 2D")[0] == "natural_pair_needed"


@each(("melds", "points"), [("A: AS AS AH", 800), ("", -800)])
def test_four_red_threes_count_eight_hundred(melds: str, points: int):
    # Most published rules: 100 each, doubled for all four, against a side that has not melded.
    position = Position("9S", stock="", phase="draw", melds={0: melds}, red={0: "3H 3H 3D 3D"})
    position.play("pass")
    rows = position.table.score.hands[0].rows
    assert rows["red_threes"][0] + rows["all_red_threes"][0] == points
