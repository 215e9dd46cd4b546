"""Bulk tables of hands and moves: what the histories of games show to everybody, in one table."""

import random
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.play import a_legal_move, finish_hand

DECK = ("4S", "3H", "5S", "2S", "8H", "9D", "7D", "QC", "6S", "5C", "8C", "TD")


@pytest.fixture(scope="module")
def games(service: Service) -> dict[str, str]:
    """A hand that is over, a move that was taken back, a hand of hidden cards, one of which only the result is known, and a dark game."""
    recorder, chance, found = service.caller("recorder"), random.Random(1), {}
    setups: dict[str, dict[str, Any]] = {
        "over": {"tournament": "bulk", "openness": "hand_over"},
        "rewound": {"tournament": "bulk"},
        "hidden": {"tournament": "bulk", "ruleset": "canasta"},
        "reported": {"tournament": "bulk"},
        "dark": {"tournament": "bulk", "live": False},
    }
    for name, wanted in setups.items():
        found[name] = game = recorder.open(**wanted)
        if name == "reported":
            assert recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [7, 4]}}).status_code == 201
            continue
        recorder.deal(game, *(() if name == "hidden" else DECK))
        for _ in range(2):
            assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).status_code == 201
    finish_hand(recorder, found["over"], chance)
    assert recorder.post(f"/v1/games/{found['rewound']}/rewinds", {"to": 3}).status_code == 201
    return found


def rows(caller: Caller, table: str, **query: Any) -> list[dict[str, Any]]:
    answer = caller.get(f"/v1/tables/{table}", params={"tournament": "bulk", **query})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


def played(caller: Caller, game: str) -> list[dict[str, Any]]:
    """The moves of a history, as the table has them."""
    events = caller.get(f"/v1/games/{game}/history?limit=1000").json()["events"]
    written = {one["position"]: one.get("written") for one in caller.get(f"/v1/games/{game}/replay?limit=1000").json()["frames"]}
    return [
        {
            "game": game,
            "position": one["position"],
            "seat": one["body"]["seat"],
            "type": (one["body"]["move"] or {}).get("type"),
            "move": one["body"]["move"],
            "void": one.get("void", False),
            "at": one["at"],
            "by": one["by"],
            "line": written[one["position"]],
        }
        for one in events
        if one["name"] == "move.played/1"
    ]


@pytest.mark.parametrize("role", ["viewer", "recorder"])
def test_moves_are_those_of_the_histories_as_everybody_reads_them(service: Service, games: dict[str, str], role: str):
    viewer = service.caller("viewer")
    found = rows(service.caller(role), "moves", lines=True)
    for name in ("over", "rewound", "hidden"):
        told = [one for one in found if one["game"] == games[name]]
        expected = played(viewer, games[name])
        assert [{key: one[key] for key in expected[0]} for one in told] == expected
        assert {(one["hand"], one["stood"]) for one in told} == {(1, False)}
    assert {one["game"] for one in found} == {games[name] for name in ("over", "rewound", "hidden")}


def test_a_hand_says_who_dealt_how_it_ended_and_how_many_moves_it_took(service: Service, games: dict[str, str]):
    viewer = service.caller("viewer")
    found = {one["game"]: one for one in rows(viewer, "hands")}
    assert games["dark"] not in found
    (sheet,) = viewer.get(f"/v1/games/{games['over']}/score-sheet").json()["hands"]
    over, rewound, reported = (found[games[name]] for name in ("over", "rewound", "reported"))
    moves = [one for one in played(viewer, games["over"]) if not one["void"]]
    assert {key: over[key] for key in ("hand", "position", "dealer", "end", "points", "moves", "finished_at", "reported")} == {
        "hand": 1,
        "position": 2,
        "dealer": 1,
        "end": sheet["end"],
        "points": sheet["points"],
        "moves": len(moves),
        "finished_at": moves[-1]["at"],
        "reported": False,
    }
    assert [rewound[key] for key in ("moves", "rewinds", "end", "points", "finished_at")] == [1, 1, None, None, None]
    assert [reported[key] for key in ("moves", "reported", "points", "dealer")] == [0, True, [7, 4], 0]


def test_a_reader_of_changes_gets_the_games_with_later_events_whole(service: Service, games: dict[str, str]):
    viewer, recorder = service.caller("viewer"), service.caller("recorder")
    first = viewer.get("/v1/tables/moves?tournament=bulk&limit=1")
    since = int(first.headers["kiebitz-as-of"])
    assert rows(viewer, "hands", changed_since=since) == []
    assert recorder.post(f"/v1/games/{games['rewound']}/moves", a_legal_move(recorder, games["rewound"], random.Random(2))).is_success
    later = rows(viewer, "moves", changed_since=since)
    assert [one["position"] for one in later] == [one["position"] for one in played(viewer, games["rewound"])]
    assert {one["sequence"] > since for one in later} == {True}
    assert viewer.get(f"/v1/tables/hands?changed_since={10**9}").status_code in (400, 409)
