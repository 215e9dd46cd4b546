"""What a ruleset tells of its notation."""

import pytest

from domain.games import RULESETS
from domain.notation.writing import written
from replay.playout import fewest_seats
from tests.api.conftest import Caller


def told(recorder: Caller, key: str) -> dict:
    answer = recorder.get(f"/v1/rulesets/{key}")
    assert answer.status_code == 200
    return dict(answer.json()["notation"])


@pytest.mark.parametrize("key", RULESETS)
def test_every_game_explains_its_notation_with_a_move_of_every_type(recorder: Caller, key: str):
    rulebook = RULESETS[key].bind({}, fewest_seats(RULESETS[key], {}))
    notation, explained = rulebook.notation, told(recorder, key)
    assert notation is not None
    assert {example["move"]["type"] for example in explained["examples"]} == set(rulebook.types)
    examples = zip(notation.grammar.examples, explained["examples"], strict=True)
    assert all(
        example["written"] == {"en": written(notation, move, "en"), "de": written(notation, move, "de")} for move, example in examples
    )
    assert all(set(cards) == set(rulebook.deck) for cards in explained["cards"].values())


def test_signs_and_letters_are_told_by_language(recorder: Caller):
    casino = told(recorder, "casino")
    assert (casino["cards"]["en"]["QD"], casino["cards"]["de"]["QD"], casino["plain"]) == ("Qd", "Dk", None)
    assert set(casino["signs"]) == {"x", "-", "=", "+", "^", "#"}
