"""A hand is dealt from a deck that nobody knows, or of which some cards are told (COM-70, COM-73)."""

from typing import Any

from domain.cards import FRENCH_DECK, HIDDEN, Card
from domain.effects import dealt_deck
from domain.table import Table
from tests.domain.unknown_cards.tables import BOARD, RULES, UNKNOWN, refusal
from tests.each import each


def deal(deck: object, known: Any) -> tuple[Card, ...]:
    """The deck that is stored: seat 1 deals to two."""
    return dealt_deck(RULES.deal(Table(RULES.setup), 1, deck, known))


def test_cards_are_put_into_the_deck_at_the_places_of_their_zone():
    stored = deal(UNKNOWN, {**BOARD, "hand:0": ["6S", "5S", "4S"], "stock": ["?", "JC"]})
    assert stored[:14] == ("6S", "5S", "3H", "9C", "?", "?", "4S", "?", "KD", "2S", "?", "?", "?", "JC")
    assert set(stored[14:]) == {HIDDEN}


def test_a_full_deck_with_what_agrees_is_the_same_deal():
    assert deal(FRENCH_DECK, {"board": FRENCH_DECK[2:4], "hand:1": [FRENCH_DECK[10]]}) == FRENCH_DECK


def test_a_deck_that_is_stored_is_dealt_again_without_what_was_told():
    stored = deal(UNKNOWN, BOARD)
    assert dealt_deck(RULES.deal(Table(RULES.setup), 1, stored)) == stored


def test_every_card_that_everybody_sees_is_asked_for_at_once():  # COM-73
    code, detail = refusal(lambda: deal(UNKNOWN, {"board": ["?", "9C"]}))
    assert (code, detail["asks"]) == ("card_unknown", ({"zone": "board", "places": (0, 2, 3)},))


@each(
    "deck",
    [[HIDDEN] * 51, [HIDDEN] * 53, ["AS", "AS", *[HIDDEN] * 50], ["XX", *[HIDDEN] * 51], ["?", *FRENCH_DECK], "unknown", None],
)
def test_a_deck_of_another_length_or_with_other_cards_is_bad(deck: object):
    assert refusal(lambda: deal(deck, BOARD))[0] == "bad_deck"


@each("known", [None, [], {"board": "3H"}, {"board": ["1H"]}])
def test_of_a_deal_what_is_told_in_a_wrong_form_is_a_bad_deck(known: Any):
    assert refusal(lambda: deal(UNKNOWN, known))[0] == "bad_deck"


@each(
    ("known", "problem"),
    [
        ({"board": ["3H", "3H"]}, "accounted"),
        ({"board": ["3H"], "hand:0": ["3H"]}, "accounted"),
        ({"board": ["3H", "9C", "KD", "2S", "4S"]}, "place"),
        ({"hand:0": ["AS", "KS", "QS", "JS", "TS"]}, "full"),
        ({"won:0": ["AS"]}, "zone"),
    ],
)
def test_what_cannot_be_in_the_deck_is_impossible(known: Any, problem: str):
    code, detail = refusal(lambda: deal(UNKNOWN, known))
    assert (code, detail["problem"]) == ("card_impossible", problem)


def test_another_card_at_a_known_place_is_impossible():
    assert refusal(lambda: deal(FRENCH_DECK, {"board": ["2C"]})) == (
        "card_impossible",
        {"zone": "board", "card": "2C", "problem": "other"},
    )
