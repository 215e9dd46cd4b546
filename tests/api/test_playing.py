"""A game from its opening to the score sheet."""

import json

import pytest

from replay.cases import differences, matches  # noqa: F401
from tests.api.conftest import CASES, Caller, Service


def opened(caller: Caller, **wanted) -> str:
    answer = caller.post("/v1/games", {"ruleset": "casino", "seats": 2, **wanted})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["game"])


def played(caller: Caller, case: dict) -> tuple[str | None, dict | None]:
    """Plays a case over HTTP: the game's id, and the first refusal as COM-62 counts it."""
    answer = caller.post("/v1/games", {name: case[name] for name in ("ruleset", "options", "seats") if name in case})
    if answer.status_code != 201:
        return None, {"hand": -1, "index": -1, "code": answer.json()["code"]}
    game = answer.json()["game"]
    for number, hand in enumerate(case["hands"]):
        start = {name: hand[name] for name in ("dealer", "deck", "fill") if name in hand}
        answer = caller.post(f"/v1/games/{game}/hands", start)
        if answer.status_code != 201:
            return game, {"hand": number, "index": -1, "code": answer.json()["code"]}
        for index, move in enumerate(hand["moves"]):
            answer = caller.post(f"/v1/games/{game}/moves", move)
            if answer.status_code != 201:
                return game, {"hand": number, "index": index, "code": answer.json()["code"]}
    return game, None


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_worked_case_ends_over_http_as_it_says(service: Service, file):
    case = json.loads(file.read_text(encoding="utf-8"))
    expect = case["expect"]
    recorder = service.caller("recorder")
    game, error = played(recorder, case)
    assert error == expect.get("error")
    if game is None:
        return
    state = recorder.get(f"/v1/games/{game}/table").json()
    sheet = recorder.get(f"/v1/games/{game}/score-sheet").json()
    assert matches(expect.get("state", {}), state)
    assert matches(expect.get("score_sheet", {}), sheet)
    assert matches({name: expect[name] for name in ("finished", "winners") if name in expect}, sheet)
