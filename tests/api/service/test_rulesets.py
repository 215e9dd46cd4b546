"""What a ruleset tells of its notation and its looks."""

import pytest

from domain.games import RULESETS
from domain.notation.writing import write_move
from replay.sample_games import find_minimum_seats
from tests.api.conftest import Caller


def told(recorder: Caller, key: str) -> dict:
    answer = recorder.get(f"/v1/rulesets/{key}")
    assert answer.status_code == 200
    return dict(answer.json()["notation"])


@pytest.mark.parametrize("key", RULESETS)
def test_every_game_explains_its_notation_with_a_move_of_every_type(recorder: Caller, key: str):
    rulebook = RULESETS[key].bind({}, find_minimum_seats(RULESETS[key], {}))
    notation, explained = rulebook.notation, told(recorder, key)
    assert notation is not None
    assert {example["move"]["type"] for example in explained["examples"]} == set(rulebook.types)
    examples = zip(notation.grammar.examples, explained["examples"], strict=True)
    assert all(
        example["written"] == {"en": write_move(notation, move, "en"), "de": write_move(notation, move, "de")} for move, example in examples
    )
    assert all(set(cards) == set(rulebook.deck) for cards in explained["cards"].values())


def test_signs_and_letters_are_told_by_language(recorder: Caller):
    casino = told(recorder, "casino")
    assert (casino["cards"]["en"]["QD"], casino["cards"]["de"]["QD"], casino["plain"]) == ("Qd", "Dk", None)
    assert set(casino["signs"]) == {"x", "-", "=", "+", "^", "#"}


def test_a_ruleset_tells_where_its_zones_lie_and_what_its_cards_look_like(recorder: Caller):
    told = recorder.get("/v1/rulesets/quartett-classic").json()
    assert (told["deck_kind"], told["layout"]) == (
        "quartett",
        [
            {"zones": "hand:{seat}", "place": "seat", "spread": "row"},
            {"zones": "laid:{seat}", "place": "seat", "spread": "mini"},
            {"zones": "stock", "place": "middle", "spread": "pile"},
        ],
    )
