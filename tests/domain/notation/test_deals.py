"""Hands that were dealt, as one line."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.cards import Card
from domain.games import RULESETS
from domain.notation.cutting import NotReadable
from domain.notation.deals import read_answers, read_hand, write_hand
from domain.notation.grammar import ToldBeside
from domain.rules import Rulebook


def rulebook(key: str, seats: int, options: Mapping[str, Any] | None = None) -> Rulebook:
    return RULESETS[key].bind(options or {}, seats)


ALCASAN, CASCADES, CLASSIC = rulebook("alcasan", 2), rulebook("cascades", 1), rulebook("quartett-classic", 3)
CASINO, CANASTA = rulebook("casino", 2), rulebook("canasta", 4)
BRIDGE: tuple[Card, ...] = ("AS", "KS", "TS", "4S", "9H", "7H", "5C", "2C")
HANDS: list[tuple[Rulebook, str, str, tuple[Card, ...], str]] = [
    (ALCASAN, "37f77t", "en", ("3", "7", "fire", "7", "7", "10"), "3777TF"),
    (ALCASAN, "l z 4 ?2", "de", ("air", "10", "4", "?", "?"), "4TL ?2"),
    (CASCADES, "am 2mk 5sw", "en", ("A-M", "2-MK", "5-SW"), "Am 2mk 5sw"),
    (CASCADES, "kb 4wb", "de", ("CROWN-L", "4-WL"), "4wb Kb"),
    (CLASSIC, "a123 b4", "en", ("A1", "A2", "A3", "B4"), "A123 B4"),
    (CLASSIC, "b4 ?", "de", ("B4", "?"), "B4 ?1"),
    (CASINO, "s akt4 h 97 d - c 52", "en", BRIDGE, "AKT4.97..52"),
    (CASINO, "p akt4 h 97 k - x 52", "de", BRIDGE, "AKT4.97..52"),
    (CASINO, "akt4.97..52", "en", BRIDGE, "AKT4.97..52"),
    (CASINO, "p akd4 h 97 k b x 52", "de", ("AS", "KS", "QS", "4S", "9H", "7H", "JD", "5C", "2C"), "AKD4.97.B.52"),
    (CASINO, "9h 4c", "en", ("9H", "4C"), ".9..4"),
    (CASINO, "k 9k", "de", ("9D", "KD"), "..K9."),
    (CANASTA, "s aa h 9 ** ?3", "en", ("AS", "AS", "9H", "JK", "JK", "?", "?", "?"), "AA.9..** ?3"),
    (CANASTA, "aa.9..** ?3", "en", ("AS", "AS", "9H", "JK", "JK", "?", "?", "?"), "AA.9..** ?3"),
]


@pytest.mark.parametrize(("rules", "line", "language", "cards", "written"), HANDS)
def test_a_hand_is_read_and_written(rules: Rulebook, line: str, language: str, cards: tuple[Card, ...], written: str):
    assert read_hand(rules, line, language) == cards
    assert write_hand(rules, cards, language) == written
    assert sorted(read_hand(rules, written, language)) == sorted(cards)


def test_a_card_that_the_deck_has_not_is_not_read():
    with pytest.raises(NotReadable):
        read_hand(CLASSIC, "z9", "en")


def test_a_card_without_its_suit_is_no_face():
    with pytest.raises(NotReadable):
        read_hand(CASCADES, "4", "en")


def test_what_a_deal_asks_for_is_told_in_turn_and_what_leaves_first_may_be_left_out():
    asks = [{"zone": "stock", "places": (1, 2)}]
    told = ToldBeside({"stock": ("?", "2-MK", "A-M")})
    assert read_answers(CASCADES, asks, "! 2mk am", "en") == told
    assert read_answers(CASCADES, asks, "2mk am", "en") == told
    assert read_answers(CASCADES, asks, "am", "en") == ToldBeside({"stock": ("?", "?", "A-M")})
    assert read_answers(CASCADES, [*asks, {"zone": "reserve:0", "places": (0,)}], "2mk am 4wl", "en") == ToldBeside(
        {"stock": ("?", "2-MK", "A-M"), "reserve:0": ("4-WL",)}
    )


def test_hands_of_seats_are_told_beside_it():
    assert read_answers(ALCASAN, [], "@1 !3 7 @0 !f", "en") == ToldBeside({"hand:1": ("3", "7"), "hand:0": ("fire",)})


def test_the_cards_of_a_casino_table_are_told_with_the_deal():
    asks = [{"zone": "board", "places": (0, 1, 2, 3)}]
    assert read_answers(CASINO, asks, "! 9h4c2dks", "en") == ToldBeside({"board": ("9H", "4C", "2D", "KS")})
    assert read_answers(CASINO, asks, "9h4x2kkp", "de") == ToldBeside({"board": ("9H", "4C", "2D", "KS")})
