"""The worked cases of every game, played over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.games import RULESETS
from replay.cases import PlayedRecord, differences
from tests.api.conftest import CASES, Caller, Service

Error = dict[str, Any] | None

FILES = {f"{file.parent.name}-{file.stem}": file for file in sorted(CASES[0].parents[1].glob("*/*.json"))}
CASES_READ = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in FILES.items()}


def sends(case: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    """What a case sends that others may not: kinds of moves of a ruleset, options, ways to give cards, refusals."""
    ruleset = case["ruleset"]
    yield ruleset, "seats", case.get("seats")
    yield from ((ruleset, "option", name) for name in case.get("options", ()))
    yield "refused", case["expect"].get("error", {}).get("code")
    for hand in case["hands"]:
        yield from (("hand", name, type(hand[name]).__name__) for name in hand)
        for entry in hand.get("moves", ()):
            yield from (("entry", name) for name in entry)
            yield ruleset, *sorted(entry.get("move", ())), entry.get("move", {}).get("type")


def different() -> dict[str, dict[str, Any]]:
    """A case for everything that is sent in any. ``kiebitz check`` plays them all (``tests/deploy/cli/test_check.py``)."""
    seen, found = set[tuple[object, ...]](), {}
    for name, case in CASES_READ.items():
        if case["ruleset"] in RULESETS and not seen >= (sent := set(sends(case))):
            seen |= sent
            found[name] = case
    return found


DIFFERENT = different()


def only(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: values[name] for name in names if name in values}


SET_UP = ("ruleset", "options", "seats")
START = ("dealer", "deck", "fill", "known", "result")


def played(caller: Caller, case: dict[str, Any]) -> tuple[str | None, Error]:
    """Plays a case: the game's id, and the first refusal as COM-62 counts it."""
    answer = caller.post("/v1/games", only(case, *SET_UP))
    if answer.status_code != 201:
        return None, {"hand": -1, "index": -1, "code": answer.json()["code"]}
    game = answer.json()["game"]
    for number, hand in enumerate(case["hands"]):
        steps = [
            ("hands", only(hand, *START)),
            *(("moves" if "move" in entry else "tellings", entry) for entry in hand.get("moves", ())),
        ]
        for index, (path, body) in enumerate(steps):
            answer = caller.post(f"/v1/games/{game}/{path}", body)
            if answer.status_code != 201:
                return game, {"hand": number, "index": index - 1, "code": answer.json()["code"]}
    return game, None


def check(service: Service, case: dict[str, Any]) -> None:
    recorder, expect = service.caller("recorder"), case["expect"]
    game, error = played(recorder, case)
    assert error == expect.get("error")
    if game is None:
        return
    state = recorder.get(f"/v1/games/{game}/table").json()
    sheet = recorder.get(f"/v1/games/{game}/score-sheet").json()
    outcome = PlayedRecord(None, None, state, sheet, sheet["finished"], sheet["winners"])
    assert differences({**expect, "error": None}, outcome) == ()


@pytest.mark.parametrize("case", DIFFERENT.values(), ids=DIFFERENT)
def test_a_worked_case_ends_over_http_as_it_says(service: Service, case: dict[str, Any]):
    check(service, case)


def test_whole_games_end_as_they_say_on_a_database_server(postgres_service: Service):
    for file in CASES:
        if file.stem.startswith("game-"):
            check(postgres_service, json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", [file for file in CASES if file.stem.startswith("game-")], ids=lambda file: file.stem)
def test_a_hand_sent_as_one_batch_is_the_same_as_move_by_move(service: Service, file: Path):
    case = json.loads(file.read_text(encoding="utf-8"))
    recorder = service.caller("recorder")
    game = recorder.open(**only(case, *SET_UP))
    for hand in case["hands"]:
        assert recorder.post(f"/v1/games/{game}/hands", only(hand, *START)).status_code == 201
        answer = recorder.post(f"/v1/games/{game}/moves", {"moves": hand["moves"]})
        assert answer.status_code == 201
        assert [closed["hand"] for closed in answer.json()["closed_hands"]] == [answer.json()["hand"]]
    outcome = PlayedRecord(None, None, score_sheet=recorder.get(f"/v1/games/{game}/score-sheet").json())
    assert differences(only(case["expect"], "score_sheet"), outcome) == ()
