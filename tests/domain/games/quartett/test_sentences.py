"""What both games say, and what they tell about themselves."""

import re
from importlib.resources import files
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from domain import texts
from domain.errors import Refused
from domain.games.quartett.definition import BadDeck
from domain.rules import Ruleset
from tests.domain.games.forms import binds, fits, readable
from tests.domain.games.quartett.decks import planes, waters
from tests.domain.games.quartett.positions import CLASSIC, METALS, TRUMPF, Position, classic, trumpf
from tests.each import each

GAME = "domain.games.quartett"
BOTH = pytest.mark.parametrize("ruleset", [TRUMPF, CLASSIC], ids=["trumpf", "classic"])


def told(ruleset: Ruleset, at: Position, type_: str, **fields: object) -> tuple[str, str]:
    """The refusal in English and in German."""
    with pytest.raises(Refused) as refused:
        at.judge({"type": type_, **fields})
    return ruleset.sentence(refused.value, "en"), ruleset.sentence(refused.value, "de")


def test_a_card_that_cannot_be_chosen_is_named_with_the_one_to_show():  # QTR-9, QTR-17
    assert told(TRUMPF, trumpf("A1 A2 A3 A4", "B1"), "announce", category="density", card="A3") == (
        "A3 (Tin) is not your top card, and with 4 cards you cannot choose. Show A1 (Iron).",
        "A3 (Tin) ist nicht deine oberste Karte, und mit 4 Karten hast du keine Wahl. Zeige A1 (Iron).",
    )


def test_a_place_where_nothing_lies_is_told_with_those_that_there_are():  # QTR-19
    position = trumpf("A1 C1 C2 C3 B1", "A2", "A4 B2 B3 B4")
    position.play("announce", category="period")
    assert told(TRUMPF, position, "draw", position=4) == (
        "There is no card at place 5 of the stack of seat 0. Draw at a place from 1 (the top) to 4.",
        "An Stelle 5 liegt im Stapel des Ansagenden (Sitz 0) keine Karte. Ziehe an einer Stelle von 1 (oben) bis 4.",
    )


def test_a_wrong_phase_names_the_move_to_make():  # QTR-7
    assert told(TRUMPF, trumpf("A1", "A2"), "reply", card="A1") == (
        "This move does not fit now: a category has to be announced.",
        "Dieser Zug passt jetzt nicht: Es ist eine Kategorie anzusagen.",
    )


def test_a_card_of_another_quartet_is_named_with_the_quartets_held():  # QKL-8
    assert told(CLASSIC, classic("A1 B1", "C3", "B3"), "ask", target=1, card="Titanium") == (
        "You hold no card of group C, so you cannot ask for C3 (Titanium). Ask for a card of the groups A or B.",
        (
            "Du hältst keine Karte des Quartetts C, also kannst du nicht nach C3 (Titanium) fragen."
            " Frage nach einer Karte aus den Quartetten A oder B."
        ),
    )


def test_an_option_that_is_not_allowed_is_named_with_what_is():  # COM-10
    with pytest.raises(Refused) as refused:
        TRUMPF.bind({"round_limit": 0}, 2)
    assert TRUMPF.sentence(refused.value, "en") == 'The option "round_limit" cannot be 0. Allowed: 1 or more, nothing.'


@each("language", texts.LANGUAGES)
def test_there_is_a_sentence_for_every_problem_of_a_deck(language: str):  # QDK-7
    source = (files(GAME) / "definition.py").read_text(encoding="utf-8") + (files(GAME) / "options.py").read_text(encoding="utf-8")
    problems = set(re.findall(rf'{BadDeck.__name__}\("(\w+)"', source))
    assert {f"bad_option.{problem}" for problem in problems} == {
        key for key in texts.load_catalog(GAME)[language] if key.startswith("bad_option.")
    }


def test_each_game_tells_its_own_rules_and_those_of_the_decks():
    families = [{rule.number.partition("-")[0] for rule in ruleset.about().rules} for ruleset in (TRUMPF, CLASSIC)]
    assert families == [{"COM", "QDK", "QTR"}, {"COM", "QDK", "QTR", "QKL"}]
    assert [rule.number for rule in CLASSIC.about().rules if rule.number.startswith("QTR")] == ["QTR-7", "QTR-28"]


def test_all_rules_of_the_specification_are_told_in_order():
    numbers = [number for number, _ in texts.list_numbered_rules(GAME)]
    assert numbers == [f"{family}-{n}" for family, last in (("QDK", 10), ("QTR", 32), ("QKL", 19)) for n in range(1, last + 1)]


def test_the_games_tell_their_names_and_the_deck_that_they_are_played_with():
    assert [ruleset.about().names["de"] for ruleset in (TRUMPF, CLASSIC)] == ["Quartett: Trumpfspiel", "Quartett (klassisch)"]
    assert all(len(ruleset.about().deck) == 32 for ruleset in (TRUMPF, CLASSIC))


OPTIONS: list[object] = [
    {},
    {"deck_def": "metals", "deals": 99},
    {"deck_def": waters()},
    {"deck_def": waters(format=2)},
    {"deck_def": planes()},
    {"deck_def": 7},
    {"deck_def": {}},
    {"deck_def": None},
    {"deals": 0},
    {"deals": 100},
    {"deals": None},
    {"jokers": 1},
]
FOR_ONE: dict[str, list[object]] = {
    "trumpf": [
        {"round_limit": None},
        {"round_limit": 1},
        {"round_limit": 0},
        {"remainder": "deal"},
        {"remainder": "keep"},
        {"tie_break": "tied"},
        {"tie_break": None},
        {"tuck": "free"},
        {"tuck": None},
        {"ask_limit": 1},
    ],
    "classic": [{"ask_limit": None}, {"ask_limit": 1}, {"ask_limit": 0}, {"remainder": "deal"}],
}


@BOTH
def test_the_schema_of_the_options_allows_what_the_game_allows(ruleset: Ruleset):
    schema = ruleset.about().options
    for options in OPTIONS + FOR_ONE[ruleset.key.partition("-")[2]]:
        assert fits(schema, options) == binds(ruleset, options, 3), options


MOVES: dict[str, list[dict[str, Any]]] = {
    "trumpf": [
        {"type": "announce", "category": "density"},
        {"type": "announce", "category": "density", "card": "A1"},
        {"type": "announce", "category": "density", "card": None},
        {"type": "announce"},
        {"type": "reply", "card": "A1"},
        {"type": "reply"},
        {"type": "draw", "position": 0},
        {"type": "draw", "position": "0"},
        {"type": "ask", "target": 1, "card": "A1"},
    ],
    "classic": [
        {"type": "ask", "target": 1, "card": "A2"},
        {"type": "ask", "target": 1, "card": "Copper"},
        {"type": "ask", "target": None, "card": "A2"},
        {"type": "ask", "target": 1},
        {"type": "ask", "target": 1, "card": "A2", "seat": 0},
    ],
}


@BOTH
def test_the_schema_of_the_moves_allows_the_moves_of_the_right_form(ruleset: Ruleset):
    schema = ruleset.about().moves
    at = trumpf("A1 A2", "B1") if ruleset is TRUMPF else classic("A1 B1", "A2", "A3")
    for move in MOVES[ruleset.key.partition("-")[2]]:
        assert fits(schema, move) == readable(at.judge, move), move


def test_the_stored_options_follow_the_schema_too():  # QDK-6
    setup = TRUMPF.bind(METALS, 2).setup
    jsonschema_rs.validate(TRUMPF.about().options, msgspec.json.decode(msgspec.json.encode(setup.options)))
