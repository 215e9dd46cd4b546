"""The worked cases of every game, played in the domain. A folder in ``tests/cases`` is enrolled as soon as its game exists."""

import json
from pathlib import Path

import pytest

from domain.games import RULESETS
from replay.cases import differences, play_record

CASES = Path(__file__).resolve().parents[2] / "cases"
FILES = sorted(CASES.glob("*/*.json"))
RECORDS = {f"{file.parent.name}/{file.stem}": json.loads(file.read_text(encoding="utf-8")) for file in FILES}
PLAYABLE = {name: record for name, record in RECORDS.items() if record["ruleset"] in RULESETS}


@pytest.mark.parametrize("name", PLAYABLE)
def test_a_case_ends_as_its_file_expects(name: str):  # COM-62, COM-63
    case = PLAYABLE[name]
    assert differences(case["expect"], play_record(case, RULESETS)) == ()


def test_every_game_has_cases():
    assert {case["ruleset"] for case in PLAYABLE.values()} == set(RULESETS)


def test_a_refusal_in_a_case_cites_a_rule():  # COM-27
    errors = [error for case in PLAYABLE.values() if (error := play_record(case, RULESETS).error)]
    assert errors
    assert [error for error in errors if not error.rules] == []
