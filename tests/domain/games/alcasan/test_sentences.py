"""What alcasan says, and what it tells about itself."""

import json

import pytest

from domain.errors import Refused
from tests.domain.games.alcasan.positions import ALCASAN, MAY, Position
from tests.domain.games.forms import binds, fits, readable
from tests.each import each

ABOUT = ALCASAN.about()


def said(table: Position, language: str, type_: str, **fields: object) -> str:
    with pytest.raises(Refused) as refused:
        table.judge({"type": type_, **fields})
    return ALCASAN.sentence(refused.value, language)


def test_cards_are_called_by_their_names():  # ALC-21, ALC-22, ALC-30
    position = Position("2 4", "1", pile="9")
    assert (
        said(position, "en", "lay", cards=["4"]) == "Water (4) is lower than 9, which counts now. Lay 9 or higher, or fire, earth or air."
    )
    assert said(position, "de", "lay", cards=["4"]) == (
        "Wasser (4) ist niedriger als 9, die jetzt gültige Karte. Lege 9 oder mehr ab, oder Feuer, Erde oder Luft."
    )
    holder = Position("fire air 9", "1", pile="4")
    assert said(holder, "en", "take") == "You cannot take the pile while a card fits. You can lay fire or air."
    assert said(holder, "de", "take") == (
        "Solange eine Karte passt, darfst du den Ablegestapel nicht nehmen. Ablegen kannst du Feuer oder Luft."
    )


def test_it_is_told_what_has_to_be_played_first():  # ALC-35, ALC-36
    assert said(Position("7", "1"), "en", "reveal", position=0).endswith("Play from your hand.")
    assert said(Position("", "1"), "de", "reveal", position=0).endswith("Spiele deine offenen Karten.")
    turned = Position("", "1", open=[""], down=["8 - 9"])
    assert said(turned, "en", "lay", cards=["7"]) == (
        "You have neither hand nor open cards. Turn one of your face-down cards, at position 1 or 3."
    )
    assert said(turned, "en", "reveal", position=1) == "No face-down card of yours lies at position 2. Turn one at position 1 or 3."


def test_it_is_told_why_there_is_nothing_to_decline():  # ALC-45
    turn, duty = Position("7", "1", options=MAY), Position("7", "1", extra=True)
    assert said(turn, "en", "decline") == (
        "Only a further lay, right after a removal of the pile, can be declined. Play this turn: lay a card, turn one, or take the pile."
    )
    assert said(duty, "en", "decline") == (
        "In this game the further lay has to be made. Lay a card, or turn one if only face-down cards are left."
    )
    assert said(duty, "de", "decline") == (
        "In dieser Partie muss nach dem Abräumen weiter abgelegt werden. Lege eine Karte ab, oder decke eine auf, wenn du nur noch"
        " verdeckte hast."
    )


def test_an_option_that_is_not_allowed_is_named_with_what_is():  # COM-10
    with pytest.raises(Refused) as refused:
        ALCASAN.bind({"move_limit": 0}, 2)
    assert ALCASAN.sentence(refused.value, "en") == 'The option "move_limit" cannot be 0. Allowed: 1 or more, nothing.'


def test_the_rules_are_told_from_the_first_to_the_last_in_their_order():
    numbers = [rule.number for rule in ABOUT.rules if rule.number.startswith("ALC")]
    assert numbers == [f"ALC-{number}" for number in range(1, 48)]


def test_the_game_tells_its_names_its_deck_and_its_codes():
    assert ABOUT.names == {"en": "alcasan", "de": "alcasan"}
    assert ABOUT.deck == ALCASAN.bind({}, 2).deck
    assert ABOUT.codes["not_your_turn"] == ("COM-25", "ALC-12", "ALC-14", "ALC-16")


OPTIONS: list[object] = [
    {},
    {"extra_lay": "any", "deals": 99, "move_limit": None},
    {"move_limit": 1},
    {"move_limit": 0},
    {"deals": 0},
    {"deals": 100},
    {"deals": None},
    {"extra_lay": "two"},
    {"extra_lay_right": "may"},
    {"extra_lay_right": True},
    {"four_fit": "compared"},
    {"four_fit": "highest"},
    {"jokers": 1},
]


@each("options", OPTIONS, ids=json.dumps)
def test_the_schema_of_the_options_allows_what_the_game_allows(options: object):
    assert fits(ABOUT.options, options) == binds(ALCASAN, options, 2)


MOVES: list[object] = [
    {"type": "lay", "cards": ["7"]},
    {"type": "lay", "cards": ["10", "10"]},
    {"type": "choose_open", "cards": ["fire", "air", "earth"]},
    {"type": "take"},
    {"type": "reveal", "position": 2},
    {"type": "lay", "cards": []},
    {"type": "lay", "cards": ["water"]},
    {"type": "lay", "cards": ["0"]},
    {"type": "lay"},
    {"type": "take", "cards": ["7"]},
    {"type": "decline"},
    {"type": "decline", "cards": ["7"]},
    {"type": "reveal", "position": "2"},
    {"type": "reveal"},
    {"type": "draw"},
]


@each("move", MOVES, ids=json.dumps)
def test_the_schema_of_the_moves_allows_the_moves_of_the_right_form(move: object):
    assert fits(ABOUT.moves, move) == readable(Position("7 7 7", "1").judge, move)
