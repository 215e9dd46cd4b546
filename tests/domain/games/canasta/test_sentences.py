"""What Canasta says, and what it tells about itself."""

import json

import pytest

from domain.errors import Refused
from tests.domain.games.canasta.positions import CANASTA, DECK, SEVEN_KINGS, Position, groups
from tests.domain.games.forms import binds, fits, readable
from tests.each import each

ABOUT = CANASTA.about()


def said(position: Position, language: str, type_: str, **fields: object) -> str:
    with pytest.raises(Refused) as refused:
        position.judge({"type": type_, **fields})
    return CANASTA.sentence(refused.value, language)


def test_first_melds_that_are_worth_too_little_are_told_what_they_are_worth():  # CAN-27
    position = Position("7S 7H 7D 5S 6S")
    assert said(position, "en", "meld", melds=groups("7: 7S 7H 7D")) == (
        "The first melds are worth 15 points, but 50 are needed in one move. Lay more, or nothing yet."
    )
    assert said(position, "de", "meld", melds=groups("7: 7S 7H 7D")) == (
        "Die Erstmeldung zählt 15 Punkte; nötig sind 50 in einem Zug. Melde mehr, oder noch gar nicht."
    )


def test_a_frozen_pile_names_the_top_card_and_the_rank():  # CAN-32
    position = Position("AD 2D 9S", melds={0: "A: AS AS AH"}, pile="2H AC", phase="draw", pile_marks={"frozen": "2H"})
    assert said(position, "en", "take", rank="A", cards=["AD", "2D"]) == (
        "The pile is frozen. To take A♣ you need two natural aces from your hand."
    )


def test_a_sentence_may_depend_on_the_rule():  # CAN-36, CAN-38
    assert said(Position("9S", melds={0: "A: AS AS AH"}), "en", "discard", card="9S") == (
        "Your party has no canasta, so you cannot go out by discarding 9♠. Lay it off if that completes one."
    )
    assert said(Position("AD 9S", melds={0: "A: AS AS AH"}), "de", "meld", melds=groups("A: AD")) == (
        "Danach hättest du weniger als zwei Karten und könntest nicht ausgehen: Dazu braucht deine Partei ein Canasta. "
        "Behalte mindestens zwei Karten."
    )


def test_start_totals_at_the_target_are_told_how_high_they_may_be():  # COM-12, CAN-3
    with pytest.raises(Refused) as refused:
        CANASTA.bind({"start_totals": [5000, 0]}, 4)
    assert CANASTA.sentence(refused.value, "en") == 'The option "start_totals" cannot be 5000, 0. Allowed: at most 4999.'


def test_a_pair_of_numbers_is_told_its_range():  # COM-10
    with pytest.raises(Refused) as refused:
        CANASTA.bind({"start_totals": [0]}, 4)
    assert CANASTA.sentence(refused.value, "en") == 'The option "start_totals" cannot be 0. Allowed: -1000000 to 1000000.'


def test_no_sentence_names_a_covered_card():  # CAN-38
    position = Position("QS QH", melds={0: "A: AS AS AH"}, pile="9C QD", phase="draw")
    with pytest.raises(Refused) as refused:
        position.judge({"type": "take", "rank": "Q", "cards": ["QS", "QH"], "melds": []})
    assert (refused.value.code, refused.value.detail) == ("going_out_needs_canasta", {})


def test_the_rules_are_in_the_order_of_their_numbers():
    numbers = [rule.number.partition("-") for rule in ABOUT.rules]
    assert {family for family, _, _ in numbers} == {"COM", "CAN"}
    assert [int(number) for family, _, number in numbers if family == "CAN"] == list(range(1, 58))


def test_the_game_tells_its_names_its_deck_and_its_codes():
    assert ABOUT.names == {"en": "Canasta", "de": "Canasta"}
    assert ABOUT.deck == DECK
    assert ABOUT.codes["too_many_wilds"] == ("CAN-22", "CAN-24")


OPTIONS: list[object] = [
    {},
    {"end": "hands", "hand_count": 1000, "start_totals": [-1_000_000, 1_000_000]},
    {"target_score": 1_000_000, "target_check": "immediate", "wild_top_take": False},
    {"pile_red_three_replaced": False, "one_card_pile": "forbidden"},
    {"target_score": 0},
    {"hand_count": 1001},
    {"start_totals": [0]},
    {"start_totals": [0, 0, 0]},
    {"one_card_pile": True},
    {"first_upcard": "left"},
    {"first_upcard": False},
    {"wild_top_take": None},
    {"jokers": 4},
]


@each("options", OPTIONS, ids=json.dumps)
def test_the_schema_of_the_options_allows_what_the_game_allows(options: object):
    assert fits(ABOUT.options, options) == binds(CANASTA, options, 4)


MOVES: list[object] = [
    {"type": "draw"},
    {"type": "pass"},
    {"type": "ask"},
    {"type": "answer", "consent": False},
    {"type": "discard", "card": "JK"},
    {"type": "meld", "melds": [{"rank": "K", "cards": ["KS", "KH", "2D"]}]},
    {"type": "take", "rank": "K", "cards": []},
    {"type": "take", "rank": "JK", "cards": ["KS"], "melds": [{"rank": "2", "cards": ["2S"]}]},
    {"type": "answer", "consent": "yes"},
    {"type": "discard", "card": "1S"},
    {"type": "discard", "card": "JKS"},
    {"type": "meld", "melds": []},
    {"type": "meld", "melds": [{"rank": "K", "cards": []}]},
    {"type": "meld", "melds": [{"rank": "10", "cards": ["TS"]}]},
    {"type": "take", "rank": "K"},
    {"type": "take", "rank": "K", "cards": [], "melds": None},
    {"type": "draw", "seat": 0},
]


@each("move", MOVES, ids=json.dumps)
def test_the_schema_of_the_moves_allows_the_moves_of_the_right_form(move: object):
    assert fits(ABOUT.moves, move) == readable(Position("KS 9S", melds={0: SEVEN_KINGS}).judge, move)
