"""Laying melds, canastas, and the first melds of a party."""

from domain.effects import CardsMoved, DetailAnnounced, MarkSet, TurnPassed, ZoneAdded
from tests.domain.games.canasta.positions import SEVEN_KINGS, Position, said
from tests.each import each

OPEN = {0: "A: AS AS AH"}
LEFT = "5S 6S"
"""Two cards to go on with."""


# What a meld is


def test_a_meld_is_laid_and_the_player_goes_on():  # CAN-15, CAN-20, COM-50
    position = Position(f"9S 9H 9D {LEFT}", melds=OPEN)
    assert position.lay("9: 9S 9H 9D") == (
        ZoneAdded("meld:0:9", "all", None),
        CardsMoved(("9S", "9H", "9D"), "hand:0", "meld:0:9"),
        TurnPassed("play", 0, (0,)),
    )


def test_several_melds_are_laid_in_one_move_or_one_after_another():  # CAN-15, CAN-20
    position = Position(f"9S 9H 9D 8S 8H 2D {LEFT}", melds=OPEN)
    assert position.lay("9: 9S 9H 9D, 8: 8S 8H 2D")
    assert position.melds(0) == {"A": "AS AS AH", "9": "9S 9H 9D", "8": "8S 8H 2D"}
    assert position.held(0) == "6S 5S"


def test_cards_are_laid_off_on_the_meld_of_their_rank():  # CAN-21
    position = Position(f"AD 2D {LEFT}", melds=OPEN)
    assert position.lay("A: AD 2D")[0] == CardsMoved(("AD", "2D"), "hand:0", "meld:0:A")
    assert position.melds(0) == {"A": "AS AS AH AD 2D"}


def test_partners_lay_off_on_each_others_melds_and_nobody_on_the_opponents():  # CAN-23
    position = Position("TC", "TC", f"AD {LEFT}", melds=OPEN, turn=2)
    position.lay("A: AD")
    assert position.melds(0) == {"A": "AS AS AH AD"}
    position = Position("TC", f"AD {LEFT}", melds=OPEN, turn=1)
    assert position.laying_refused("A: AD") == ("meld_too_small", "CAN-20")


@each("text", ["9: 9S 9H", "9: 9S", "9: 9S 2D"])
def test_a_new_meld_has_three_cards_or_more(text: str):  # CAN-20
    assert Position(f"9S 9H 2D {LEFT}", melds=OPEN).laying_refused(text) == ("meld_too_small", "CAN-20")


@each("rank", ["2", "JK"])
def test_wild_cards_alone_are_no_meld(rank: str):  # CAN-20
    assert Position(f"2S 2H 2D {LEFT}", melds=OPEN).laying_refused(f"{rank}: 2S 2H 2D") == ("rank_not_meldable", "CAN-20")


def test_a_sequence_is_no_meld():  # CAN-20
    assert Position(f"7S 8S 9S {LEFT}", melds=OPEN).laying_refused("8: 7S 8S 9S") == ("rank_mismatch", "CAN-20")


def test_each_rank_is_named_once():  # CAN-21
    assert Position(f"9S 9H 9D 9C {LEFT}", melds=OPEN).laying_refused("9: 9S 9H, 9: 9D 9C") == ("duplicate_rank", "CAN-21")


def test_cards_are_held_as_often_as_they_are_named():  # CAN-23
    position = Position(f"9S 9S 9D AD {LEFT}", melds=OPEN)
    assert position.laying_refused("9: 9S 9S 9S") == ("card_not_in_hand", "CAN-23")
    assert position.laying_refused("9: 9S 9S 9D, A: AD AD") == ("card_not_in_hand", "CAN-23")
    assert position.laying_refused("3: 3H") == ("card_not_in_hand", "CAN-23")


@each(
    ("text", "legal"),
    [
        ("9: 9S 9H 2S", True),
        ("9: 9S 2S 2H", False),
        ("9: 9S 9H 2S JK", True),
        ("9: 9S 9H 2S 2H JK", False),
        ("9: 9S 9H 9D 2S 2H JK", True),
        ("9: 9S 9H 9D 9C 2S 2H 2D JK", False),
    ],
)
def test_not_more_wild_cards_than_natural_ones_and_at_most_three(text: str, legal: bool):  # CAN-22
    position = Position(f"9S 9H 9D 9C 2S 2H 2D JK {LEFT}", melds=OPEN)
    if legal:
        assert position.lay(text)
    else:
        assert position.laying_refused(text) == ("too_many_wilds", "CAN-22")


def test_wild_cards_that_lie_count_along():  # CAN-22, CAN-23
    position = Position(f"9C 2S {LEFT}", melds={0: "9: 9S 9H 2D JK"})
    assert position.laying_refused("9: 2S") == ("too_many_wilds", "CAN-22")
    assert position.lay("9: 9C 2S")


# Canastas


def test_seven_cards_make_a_canasta():  # CAN-25
    position = Position(f"KC {LEFT}", melds={0: "K: KS KS KH KH KD KD"})
    assert said(position.lay("K: KC"), "canasta") == [{"party": 0, "rank": "K", "kind": "natural"}]
    position = Position(f"2C {LEFT}", melds={0: "K: KS KS KH KH KD KD"})
    assert said(position.lay("K: 2C"), "canasta") == [{"party": 0, "rank": "K", "kind": "mixed"}]


def test_a_canasta_may_grow_and_is_announced_once():  # CAN-25
    position = Position(f"KC {LEFT}", melds={0: SEVEN_KINGS})
    assert said(position.lay("K: KC"), "canasta") == []
    assert position.view["melds"][0]["K"]["canasta"] == "natural"


def test_a_wild_card_makes_a_natural_canasta_mixed():  # CAN-25
    position = Position(f"JK {LEFT}", melds={0: SEVEN_KINGS})
    assert said(position.lay("K: JK"), "canasta") == [{"party": 0, "rank": "K", "kind": "mixed"}]


# The first melds


def test_the_first_melds_reach_their_worth_in_one_move():  # CAN-26, CAN-27
    position = Position(f"7S 7S 7H 8S 8S 8H 8H {LEFT}")
    assert position.laying_refused("7: 7S 7S 7H") == ("initial_meld_too_low", "CAN-26", "CAN-27")
    assert position.laying_refused("7: 7S 7S 7H, 8: 8S 8S 8H") == ("initial_meld_too_low", "CAN-26", "CAN-27")
    assert position.lay("7: 7S 7S 7H, 8: 8S 8S 8H 8H")[4:] == (
        DetailAnnounced(0, "initial_meld", {"party": 0, "points": 55, "minimum": 50}),
        MarkSet("opening", True),
        TurnPassed("play", 0, (0,)),
    )


def test_afterwards_any_meld_will_do_for_both_partners():  # CAN-26
    position = Position(f"4S 4H 4D {LEFT}", melds={0: "A: AS AS AH"})
    assert said(position.lay("4: 4S 4H 4D"), "initial_meld") == []
    position = Position("TC", "TC", f"4S 4H 4D {LEFT}", melds={0: "A: AS AS AH"}, turn=2)
    assert position.lay("4: 4S 4H 4D")


@each(("minimum", "enough"), [(15, True), (50, True), (70, True), (90, False), (120, False)])
def test_wild_cards_count_their_own_values_and_red_threes_and_bonuses_do_not(minimum: int, enough: bool):  # CAN-27
    position = Position(f"9S 9H JK {LEFT}", red={0: "3H 3D"}, minimums=(minimum, 50))
    if enough:
        assert position.lay("9: 9S 9H JK")
    else:
        assert position.laying_refused("9: 9S 9H JK") == ("initial_meld_too_low", "CAN-26", "CAN-27")


def test_each_party_has_its_own_worth_to_reach():  # CAN-26
    position = Position(f"9S 9H 9D {LEFT}", "9S 9H 9D 7S 6S", minimums=(50, 15))
    assert position.laying_refused("9: 9S 9H 9D")[0] == "initial_meld_too_low"
    position = Position("TC", f"9S 9H 9D {LEFT}", minimums=(50, 15), turn=1)
    assert position.lay("9: 9S 9H 9D")


def test_black_threes_count_towards_the_first_melds():  # CAN-27, CAN-24
    hand = "KS KS KH KH KD KD KC 3S 3S 3C"
    assert Position(hand, minimums=(85, 50)).lay("K: KS KS KH KH KD KD KC, 3: 3S 3S 3C")
    assert Position(hand, minimums=(86, 50)).laying_refused("K: KS KS KH KH KD KD KC, 3: 3S 3S 3C")[0] == "initial_meld_too_low"


# Black threes


def test_black_threes_are_laid_by_somebody_who_then_goes_out():  # CAN-24
    position = Position("3S 3S 3C 9S", melds={0: SEVEN_KINGS})
    assert MarkSet("must_go_out", True) in position.lay("3: 3S 3S 3C")
    position.play("discard", card="9S")
    assert position.table.score.hands[0].end == "went_out"


def test_nobody_lays_black_threes_who_could_not_go_out_afterwards():  # CAN-24
    assert Position("3S 3S 3C 9S 8S", melds={0: SEVEN_KINGS}).laying_refused("3: 3S 3S 3C") == ("black_threes_not_last", "CAN-24")
    assert Position("3S 3S 3C 9S", melds=OPEN).laying_refused("3: 3S 3S 3C") == ("black_threes_not_last", "CAN-24")


def test_wild_cards_do_not_go_with_black_threes():  # CAN-24
    position = Position("3S 3S 3C 2D 9S", melds={0: SEVEN_KINGS})
    assert position.laying_refused("3: 3S 3S 3C 2D") == ("too_many_wilds", "CAN-24")
    assert position.laying_refused("3: 3S 3S 2D") == ("too_many_wilds", "CAN-24")
    assert position.laying_refused("3: 3S 3S") == ("meld_too_small", "CAN-20")


def test_the_fourth_black_three_may_follow_in_the_same_turn():  # CAN-24
    position = Position("3S 3S 3C 3C 9S", melds={0: SEVEN_KINGS})
    position.lay("3: 3S 3S 3C")
    assert said(position.lay("3: 3C"), "canasta") == []
    position.play("discard", card="9S")
    assert position.table.score.hands[0].end == "went_out"


def test_after_black_threes_the_turn_ends_with_going_out():  # CAN-24
    position = Position("3S 3S 3C KD 9S", melds={0: SEVEN_KINGS})
    position.lay("3: 3S 3S 3C")
    assert position.refusal("discard", card="9S") == ("must_go_out", "CAN-24")
    assert position.refusal("ask") == ("ask_too_late", "CAN-39")


def test_the_checks_of_melding_come_in_their_order():  # CAN-52
    position = Position("9S 9H 9D 2S 2H 2D 8S 3S 3S 3C")
    assert [
        position.laying_refused(text)[0]
        for text in (
            "2: 7S, 9: 9S",
            "2: 2S, 2: 2H",
            "9: 8S, 9: 9S",
            "9: 8S 9H",
            "9: 9S 9H, 8: 8S 2S 2H",
            "9: 9S 9H 9D, 8: 8S 2S 2H",
            "9: 9S 9H 9D",
            "9: 9S 9H 9D 2S, 3: 3S 3S 3C",
        )
    ] == [
        "card_not_in_hand",
        "rank_not_meldable",
        "duplicate_rank",
        "rank_mismatch",
        "meld_too_small",
        "too_many_wilds",
        "initial_meld_too_low",
        "black_threes_not_last",
    ]
