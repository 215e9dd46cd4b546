"""Hands that are typed for a deal: letters, words, commas and names (NOT-14, NOT-15, and "Deals" of ``docs/notation.md``)."""

import json
from pathlib import Path
from typing import NamedTuple

import msgspec

from api.pages.record_page import view_notation
from domain.games import RULESETS
from domain.notation.writing import notation_of
from replay.sample_games import find_minimum_seats
from tests.npm import NODE, started

HERE = Path(__file__).parent
RECORD = HERE.parents[2] / "api" / "assets" / "record"


class Hand(NamedTuple):
    ruleset: str
    language: str
    line: str
    cards: str | None


HANDS = [
    Hand("casino", "en", "9h 4c", "9H 4C"),
    Hand("casino", "en", "9h, 4c: 2d.", "9H 4C 2D"),
    Hand("casino", "en", "s akt4, h 97, d -, c 52", "AS KS TS 4S 9H 7H 5C 2C"),
    Hand("casino", "en", "akt4.97.52.", "AS KS TS 4S 9H 7H 5D 2D"),
    Hand("casino", "en", "King of Spades, 9 clubs, hearts 4, pik 10, kreuz könig.", "KS 9C 4H TS KC"),
    Hand("casino", "de", "pik ass, karo k, könig karo, 9 clubs; sah er", "AS KD KD 9C"),
    Hand("casino", "en", "9h §", None),
    Hand("casino", "en", "constructor", None),
    Hand("canasta", "en", "joker, joker, 3 hearts, ?2", "JK JK 3H ? ?"),
    Hand("alcasan", "de", "3, 7, Feuer, Luft, Wasser", "3 7 fire air 4"),
    Hand("cascades", "en", "Ace Moons, 4 waves leaves, Krone Blatt", "A-M 4-WL CROWN-L"),
    Hand("quartett-classic", "en", "a1, Azobé, azobe b4", "A1 A4 A4 B4"),
]


def test_a_hand_is_typed_in_letters_or_in_words(tmp_path: Path):
    given = []
    for one in HANDS:
        ruleset = RULESETS[one.ruleset]
        notation = view_notation(notation_of(ruleset.bind({}, find_minimum_seats(ruleset, {}))), one.language)
        given.append({"notation": notation, "lines": [one.line]})
    (tmp_path / "hands.json").write_bytes(msgspec.json.encode(given))
    said = started(NODE, "--no-warnings", HERE / "hands.mjs", RECORD, tmp_path / "hands.json", tmp_path / "cards.json")
    assert (said.returncode, said.stdout) == (0, "")
    read = [cards for (cards,) in json.loads((tmp_path / "cards.json").read_bytes())]
    assert [cards and " ".join(cards) for cards in read] == [one.cards for one in HANDS]
