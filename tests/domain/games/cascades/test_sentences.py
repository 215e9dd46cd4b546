"""What Cascades says, and what it tells about itself."""

import json

import pytest

from domain.errors import Refused
from tests.domain.games.cascades.positions import ACE, CASCADES, EXTENDED, Position
from tests.domain.games.forms import binds, fits, readable
from tests.each import each

ABOUT = CASCADES.about()


def said(position: Position, language: str, card: str, tier: int) -> str:
    with pytest.raises(Refused) as refused:
        position.judge({"type": "play", "card": card, "tier": tier})
    return CASCADES.sentence(refused.value, language)


def test_cards_ranks_and_tiers_have_names():  # CSC-26
    position = Position("4-MS", waste="CROWN-W")
    assert said(position, "en", "CROWN-W", 0) == (
        "Crown of Waves shares no suit with 4 of Moons/Suns at the right end of the upper tier. "
        "Choose a tier that ends with one of its suits."
    )
    assert said(position, "de", "CROWN-W", 0) == (
        "Krone Welle hat keine Farbe gemeinsam mit 4 Mond/Sonne am rechten Ende der oberen Stufe. "
        "Wähle eine Stufe, die mit einer ihrer Farben endet."
    )


def test_a_card_that_is_not_free_is_answered_with_those_that_are():  # CSC-33
    position = Position("4-MS", waste="2-MK 3-SK", reserve=("9-MS", "", ""), pass_=2)
    assert said(position, "en", "2-MK", 0) == "2 of Moons/Knots cannot be placed now. Free to place: 3 of Suns/Knots, 9 of Moons/Suns."
    assert said(Position("4-MS"), "en", "2-MK", 0) == "2 of Moons/Knots cannot be placed now. Free to place: nothing."
    assert said(Position("4-MS"), "de", "2-MK", 0) == "2 Mond/Knoten lässt sich jetzt nicht legen. Frei zum Legen: nichts."


def test_a_sentence_may_depend_on_the_rule():  # CSC-27, CSC-29, CSC-31, CSC-34, CSC-36
    two = "PAWN-MSL PAWN-MYK"
    pawns = Position(two, "PAWN-WLY", waste="PAWN-SWK", options=EXTENDED)
    assert said(pawns, "en", "PAWN-SWK", 1) == (
        "The middle tier has room for one card of the rank Pawn, so Pawn of Suns/Waves/Knots cannot go there. Choose another tier."
    )
    assert said(Position("A-M A-S", waste="A-W"), "en", "A-W", 0) == (
        "The upper tier has two cards of the rank Ace already, so Ace of Waves cannot go there. Choose another tier."
    )
    ace = Position(waste="4-YK", options=ACE)
    assert said(ace, "en", "4-YK", 0) == (
        "4 of Wyrms/Knots shares no suit with Ace of Moons or Ace of Suns beside the upper tier. "
        "Choose a tier whose aces have one of its suits."
    )
    assert said(ace, "en", "A-M", 0).startswith("Ace of Moons is a base of the upper tier")


def test_an_unknown_language_is_answered_in_english():
    assert said(Position("4-MS"), "fr", "2-MK", 0) == said(Position("4-MS"), "en", "2-MK", 0)
    assert said(Position("4-MS"), "de-AT", "2-MK", 0) == said(Position("4-MS"), "de", "2-MK", 0)


@each("language", ["en", "de"])
def test_every_card_has_a_name_of_its_own(language: str):
    names = {said(Position("", options=EXTENDED), language, card, 0).partition(" (")[0] for card in ABOUT.deck}
    assert len(names) == 44


def test_the_rules_are_told_from_the_first_to_the_last_in_their_order():
    numbers = [rule.number for rule in ABOUT.rules if rule.number.startswith("CSC")]
    assert numbers == [f"CSC-{number}" for number in range(1, 51)]


def test_the_game_tells_its_names_its_deck_and_its_codes():
    assert ABOUT.names == {"en": "Cascades", "de": "Cascades (Kaskaden)"}
    assert ABOUT.deck == CASCADES.bind(EXTENDED, 1).deck
    assert ABOUT.codes["card_not_available"] == ("CSC-14", "CSC-21", "CSC-23", "CSC-33")


OPTIONS: list[object] = [
    {},
    {"variant": "ace", "pawns": True, "courts": False, "passes": 9},
    {"passes": 0},
    {"passes": 1},
    {"passes": 10},
    {"variant": "aces"},
    {"pawns": None},
    {"jokers": 1},
]


@each("options", OPTIONS, ids=json.dumps)
def test_the_schema_of_the_options_allows_what_the_game_allows(options: object):
    assert fits(ABOUT.options, options) == binds(CASCADES, options, 1)


MOVES: list[object] = [
    {"type": "turn"},
    {"type": "resign"},
    *({"type": "play", "card": card, "tier": 1} for card in ABOUT.deck[::5]),
    {"type": "play", "card": "4-MS", "tier": 3},
    {"type": "play", "card": "4-MS", "tier": -1},
    {"type": "play", "card": "4-MS"},
    {"type": "play", "card": "4-M", "tier": 0},
    {"type": "play", "card": "A-MS", "tier": 0},
    {"type": "play", "card": "PAWN-MS", "tier": 0},
    {"type": "play", "card": "?", "tier": 0},
    {"type": "turn", "count": 3},
    {"type": "draw"},
]


@each("move", MOVES, ids=json.dumps)
def test_the_schema_of_the_moves_allows_the_moves_of_the_right_form(move: object):
    assert fits(ABOUT.moves, move) == readable(Position("4-MS", options=EXTENDED).judge, move)
