"""What Casino says, and what it tells about itself."""

import json

import pytest

from domain.cards import FRENCH_DECK
from domain.errors import Refused
from tests.domain.games.casino.positions import CASINO, Position, groups
from tests.domain.games.forms import binds, fits, readable
from tests.each import each

ABOUT = CASINO.about()


def said(position: Position, language: str, type_: str, **fields: object) -> str:
    with pytest.raises(Refused) as refused:
        position.judge({"type": type_, **fields})
    return CASINO.sentence(refused.value, language)


def test_a_wrong_sum_names_the_cards_and_what_they_make():  # CNO-23
    position = Position("9H 2C", board="7D AS 9C")
    assert said(position, "en", "capture", card="9H", groups=groups("7D AS", "9C")) == (
        "7♦, A♠ make 8 and cannot be taken with 9♥. Name groups that make 9 each."
    )
    assert said(position, "de", "capture", card="9H", groups=groups("7D AS", "9C")) == (
        "7♦, A♠ ergeben 8 und lassen sich nicht mit 9♥ fangen. Nenne Sätze, die jeweils 9 ergeben."
    )


def test_a_sentence_may_depend_on_the_rule():  # CNO-22, CNO-28
    position = Position("KS 9H", board="KH", builds=[(6, 1, "4D 2D")])
    assert said(position, "en", "capture", card="KS", builds=[1]) == (
        "K♠ is a picture and takes no build, only one loose card of its rank."
    )
    assert said(position, "en", "capture", card="9H", builds=[1]) == (
        "The build of 6 cannot be taken with 9♥, which captures with 9. Take it with a card of its value."
    )


def test_an_option_that_is_not_allowed_is_named_with_what_is():  # COM-10
    with pytest.raises(Refused) as refused:
        CASINO.bind({"target": 101}, 2)
    assert CASINO.sentence(refused.value, "en") == 'The option "target" cannot be 101. Allowed: 1 to 100.'


def test_the_rules_are_in_the_order_of_their_numbers():
    numbers = [rule.number.partition("-") for rule in ABOUT.rules]
    assert {family for family, _, _ in numbers} == {"COM", "CNO"}
    assert numbers == sorted(numbers, key=lambda parts: (parts[0] == "CNO", int(parts[2])))


def test_the_game_tells_its_names_its_deck_and_its_codes():
    assert ABOUT.names == {"en": "Casino and Royal Casino", "de": "Casino und Royal Casino"}
    assert ABOUT.deck == FRENCH_DECK
    assert ABOUT.codes["game_over"] == ("COM-13", "COM-23", "CNO-7", "CNO-64", "CNO-65", "CNO-66")


OPTIONS: list[object] = [
    {},
    {"variant": "royal", "partners": False, "sweeps": True, "target": 100, "count_out": "total"},
    {"last_sweep": "not"},
    {"last_sweep": False},
    {"target": 0},
    {"target": 101},
    {"variant": "spade"},
    {"sweeps": None},
    {"jokers": 1},
]


@each("options", OPTIONS, ids=json.dumps)
def test_the_schema_of_the_options_allows_what_the_game_allows(options: object):
    assert fits(ABOUT.options, options) == binds(CASINO, options, 2)


MOVES: list[object] = [
    {"type": "trail", "card": "5D"},
    {"type": "capture", "card": "5D", "groups": [["5H"]]},
    {"type": "capture", "card": "5D", "builds": [1]},
    {"type": "build", "card": "5D", "value": 8, "groups": [["5D", "3H"]]},
    {"type": "raise", "card": "5D", "build": 1, "value": 8},
    {"type": "add", "card": "5D", "build": 1, "groups": [["5D"]]},
    {"type": "draw"},
    {"type": "trail"},
    {"type": "trail", "card": "1D"},
    {"type": "capture", "card": "5D", "groups": [[]]},
    {"type": "capture", "card": "5D", "builds": [0]},
    {"type": "capture", "card": "5D", "groups": None},
    {"type": "build", "card": "5D", "value": 0, "groups": [["5D", "3H"]]},
    {"type": "raise", "card": "5D", "build": 1, "value": 8, "owner": 1},
]


@each("move", MOVES, ids=json.dumps)
def test_the_schema_of_the_moves_allows_the_moves_of_the_right_form(move: object):
    assert fits(ABOUT.moves, move) == readable(Position("5D 8C", board="3H 5H", builds=[(3, 1, "2S AS"), (5, 1, "4S AC")]).judge, move)
