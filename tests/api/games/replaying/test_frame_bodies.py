"""What a frame says as data: the event itself, what it restored, and how the game stood before and after it."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.games.test_replay import frames
from tests.api.games.test_writing import dealt, first_card
from tests.api.rulings.test_rulings import sent

PENALTY = {"decision": "penalty", "reason": "late", "public": True, "rules": ["COM-42"], "adjustments": [{"party": 1, "points": -5}]}


@pytest.fixture(scope="module")
def disputed(service: Service) -> str:
    """Two moves, of which the second is taken back; a dispute, a penalty, a remark."""
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    game = dealt(recorder)
    recorder.trail(game, 0, first_card(recorder, game))
    recorder.trail(game, 1, first_card(recorder, game, 1))
    sent(recorder, game, "rewinds", {"to": 3})
    sent(recorder, game, "disputes", {"seat": 1, "claim": "That was not allowed."})
    sent(arbiter, game, "rulings", {"dispute": 1, **PENALTY})
    sent(arbiter, game, "notes", {"text": "Talked to both."})
    return game


@pytest.mark.parametrize("role", ["arbiter", "recorder", "viewer"])
def test_a_frame_holds_the_event_as_the_history_tells_it(service: Service, disputed: str, role: str):
    caller = service.caller(role)
    told = caller.get(f"/v1/games/{disputed}/history").json()["events"]
    assert [frame["body"] for frame in frames(caller, disputed)] == [event["body"] for event in told]


def test_a_frame_of_which_nothing_is_told_holds_nothing(recorder: Caller, service: Service):
    game = recorder.open(live=False)
    recorder.deal(game)
    assert [(frame["effects"], "body" in frame) for frame in frames(service.caller("viewer"), game)] == [([], False)] * 2


def test_a_ruling_is_drawn_without_a_second_request(service: Service, disputed: str):
    *_, raised, ruled, adjusted, _ = frames(service.caller("viewer"), disputed)
    assert {name: raised["body"][name] for name in ("number", "position", "seat", "suspends")} == {
        "number": 1,
        "position": 5,
        "seat": 1,
        "suspends": False,
    }
    assert (ruled["body"]["decision"], ruled["body"]["rules"], ruled["body"]["dispute"]) == ("penalty", ["COM-42"], 1)
    assert (adjusted["body"]["party"], adjusted["body"]["points"], adjusted["body"]["ruling"]) == (1, -5, 1)
    now = {"hand": 1, "dealer": 1, "totals": [0, 0], "places": None}
    assert adjusted["stand"] == {"before": now, "after": {**now, "totals": [0, -5]}}


def test_the_stand_is_told_where_it_changed_alone(service: Service, disputed: str):
    told: list[dict[str, Any]] = frames(service.caller("viewer"), disputed)
    assert [frame["position"] for frame in told if "stand" in frame] == [2, 8]
    before = {"hand": 0, "dealer": None, "totals": [0, 0], "places": None}
    assert told[1]["stand"] == {"before": before, "after": {**before, "hand": 1, "dealer": 1}}


def test_a_rewind_lays_what_it_restores(service: Service, disputed: str):
    _, _, _, _, rewound, *_ = frames(service.caller("viewer"), disputed)
    assert rewound["body"]["to"] == 3
    restored = rewound["body"]["restored"]
    zones = [["zone", name, zone["sight"], zone["owner"], zone["cards"]] for name, zone in restored["zones"].items()]
    marks = [["mark", name, value, None] for name, value in restored["marks"].items()]
    assert rewound["effects"] == [["hand", 1, 1], *zones, *marks, ["turn", "play", 1, [1]]]
    assert ["zone", "hand:0", "owner", 0, ["?", "?", "?"]] in zones
