"""Replays without tables: the answer tells the table to start from, and the frames what to fold on it."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.games.replaying.test_following import FOLLOWER
from tests.api.games.test_replay import frames, replay
from tests.api.play import worked

EMPTY = {"position": 0, "zones": {}, "marks": {}, "phase": "no_hand", "turn": None, "to_act": []}
NO_STAND = {"hand": 0, "dealer": None, "totals": [0, 0], "places": None}


@pytest.fixture(scope="module")
def whole(service: Service) -> str:
    """A finished game of several hands."""
    return worked(service.caller("recorder"), "game-two-players-classic")


def start(caller: Caller, game: str, **query: Any) -> Any:
    return replay(caller, game, tables=False, **query).json()["start"]


def followed(told: list[dict[str, Any]]) -> Any:
    """The table after the last of these frames, of which the first holds the start."""
    table: Any = None
    for frame in told:
        table = FOLLOWER["follow"](table, frame) | {"position": frame["position"]}
    return table


def test_a_frame_is_the_same_without_its_table(service: Service, whole: str):
    recorder = service.caller("recorder")
    plain = replay(recorder, whole, limit=1000, tables=False).json()
    with_tables = replay(recorder, whole, limit=1000).json()
    assert [frame.pop("table")["phase"] for frame in with_tables["frames"]][-1] == "game_over"
    assert plain.pop("start") == {**EMPTY, "sees": "all", "stand": NO_STAND}
    assert plain == with_tables


def test_the_start_is_the_table_before_the_first_frame_of_a_page(service: Service, whole: str):
    recorder = service.caller("recorder")
    table = followed(frames(recorder, whole, tables=False)[:40])
    for query in ({"after": 40}, {"before": 61, "limit": 20}, {"first": 41}, {"after": 10, "first": 41}):
        page = replay(recorder, whole, tables=False, **query).json()
        assert page["frames"][0]["position"] == 41
        assert page["start"] == table


@pytest.mark.parametrize(
    ("query", "position"), [({"after": 148}, 148), ({"before": 1}, 0), ({"first": 9, "last": 8}, 8), ({"first": 10**6}, 148)]
)
def test_a_page_where_nothing_is_tells_where_it_would_start(service: Service, whole: str, query: dict[str, Any], position: int):
    recorder = service.caller("recorder")
    page = replay(recorder, whole, tables=False, **query).json()
    assert page["frames"] == []
    expected = followed(frames(recorder, whole, tables=False)[:position]) if position else {**EMPTY, "sees": "all", "stand": NO_STAND}
    assert page["start"] == expected


def test_of_lines_the_first_frame_holds_the_start(service: Service, whole: str):
    recorder = service.caller("recorder")
    first, *others = frames(recorder, whole, tables=False, after=40)
    assert first["start"] == start(recorder, whole, after=40)
    assert not any("start" in frame for frame in others)


def test_frames_that_do_not_come_next_hold_a_start(service: Service, whole: str):
    recorder = service.caller("recorder")
    page = replay(recorder, whole, tables=False, seat=1, limit=1000).json()
    first, *others = page["frames"]
    assert "start" not in first
    assert page["start"]["position"] == first["position"] - 1
    assert [frame["start"]["position"] + 1 for frame in others] == [frame["position"] for frame in others]


def test_nobody_starts_from_a_table_that_he_may_not_see(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = recorder.open()
    recorder.deal(game)
    for caller, query, sees, own in ((viewer, {}, "public", "?"), (recorder, {"view": "seat:1"}, "seat:1", None)):
        told = start(caller, game, after=2, **query)
        assert (told["sees"], told["position"], set(told["zones"]["stock"]["cards"])) == (sees, 2, {"?"})
        assert (set(told["zones"]["hand:1"]["cards"]) == {"?"}) == (own == "?")
        assert set(told["zones"]["hand:0"]["cards"]) == {"?"}


def test_of_a_game_that_is_not_live_nothing_lies_at_the_start(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = recorder.open(live=False)
    recorder.deal(game)
    assert start(viewer, game, after=2) == {**EMPTY, "position": 2, "sees": "nothing", "phase": "covered", "stand": NO_STAND}
