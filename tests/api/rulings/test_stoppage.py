"""A hand that is stopped when time is up, over HTTP, from the act to the sheet, the histories and the standings (COM-43, COM-42)."""

from typing import Any

from tests.api.conftest import Caller, Service
from tests.api.rulings.test_rulings import arbiter, dealt, events, refused, sent, sheet, table, trail

__all__ = ["arbiter"]

TIME = {"reason": "The hall closes.", "public": True}


def captions(caller: Caller, game: str, language: str) -> list[str]:
    told = caller.get(f"/v1/games/{game}/replay?limit=100", headers={"Accept-Language": language}).json()["frames"]
    return [frame["caption"] for frame in told]


def test_a_stopped_hand_of_casino_is_struck_out_wherever_it_is_told(service: Service, recorder: Caller, arbiter: Caller, viewer: Caller):
    game = dealt(recorder)
    sent(recorder, game, "moves", trail("QC", 0))
    tried = sent(arbiter, game, "stoppage?dry_run=true", TIME)
    given = sent(arbiter, game, "stoppage", TIME)
    [event] = given["events"]
    body = {key: value for key, value in event["body"].items() if key != "reason"}
    assert (event["name"], body) == ("hand.stopped/1", {"effects": [["closed", "stopped", {}]], "counts": False})
    after = sheet(viewer, game)
    assert (after["hands"], [(hand["hand"], hand["end"], hand["position"]) for hand in after["struck"]]) == ([], [(1, "stopped", 4)])
    compared = tried["score_sheets"]
    assert (compared["before"].get("struck"), compared["after"]) == (None, after)
    assert (given["phase"], given["to_act"], table(viewer, game)["phase"]) == ("hand_over", [], "hand_over")
    assert viewer.get(f"/v1/games/{game}").json()["phase"] == "hand_over"
    assert events(viewer, game)[-1] == (4, "hand.stopped", False)
    assert captions(viewer, game, "en")[-1] == "Time is up: hand 1 is stopped and counts for nothing."
    assert captions(viewer, game, "de")[-1] == "Die Zeit ist um: Spiel 1 wird vorzeitig beendet und zählt nicht."
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    assert viewer.get(f"/v1/scores?min_sequence={given['sequence']}").json()["items"] == []


def test_a_stopped_hand_of_alcasan_is_scored_by_the_cards_that_are_left(
    service: Service, recorder: Caller, arbiter: Caller, viewer: Caller
):
    game = recorder.open(ruleset="alcasan", seats=2)
    sent(recorder, game, "hands", {"dealer": 0})
    given = sent(arbiter, game, "stoppage", {})
    assert (given["events"][0]["body"]["counts"], given["phase"]) == (True, "game_over")
    after = sheet(viewer, game)
    assert (after["hands"][0]["end"], after["places"], after.get("struck")) == ("move_limit", [1, 1], None)
    assert captions(viewer, game, "de")[-1].startswith("Die Zeit ist um: Spiel 1 wird vorzeitig beendet. Spiel 1 ist zu Ende (Zuggrenze)")


def test_who_may_stop_a_hand_and_when(service: Service, recorder: Caller, arbiter: Caller):
    game = recorder.open()
    assert refused(arbiter, game, "stoppage", {}) == "no_hand_to_stop"
    sent(recorder, game, "hands", {"dealer": 0})
    for role in ("recorder", "viewer", "committee"):
        assert service.caller(role).post(f"/v1/games/{game}/stoppage", {}).status_code == 403
    assert arbiter.post(f"/v1/games/{game}/stoppage", {}, headers={"If-Match": '"1"'}).status_code == 412
    sent(arbiter, game, "PUT suspension", {})
    assert refused(arbiter, game, "stoppage", {}) == "game_suspended"
    sent(arbiter, game, "DELETE suspension", {})
    key = {"headers": {"Idempotency-Key": "once"}}
    assert sent(arbiter, game, "stoppage", TIME, **key) == sent(arbiter, game, "stoppage", TIME, **key)
    assert refused(arbiter, game, "stoppage", {}) == "no_hand_to_stop"


def test_a_full_record_carries_a_stopped_hand_and_a_simple_one_says_that_it_does_not(
    service: Service, recorder: Caller, arbiter: Caller, viewer: Caller
):
    game = dealt(recorder)
    sent(arbiter, game, "stoppage", TIME)
    sent(recorder, game, "hands", {"dealer": 0})
    simple = recorder.get(f"/v1/games/{game}/record").json()
    assert simple["note"] == "Not in this record: the stopping of hands. The full record holds everything."
    director = service.caller("director")
    full = director.get(f"/v1/games/{game}/record?full=true").json()
    checked: dict[str, Any] = director.post("/v1/records?dry_run=true", full).json()
    assert "hand.stopped/1" in [event["name"] for event in full["events"]]
    assert checked["refused"] == 0, checked


def test_a_ruling_that_reaches_the_target_ends_the_game_and_is_told_so(service: Service, recorder: Caller, arbiter: Caller, viewer: Caller):
    game = recorder.open(ruleset="canasta", seats=2, options={"target_score": 3000})
    sent(recorder, game, "hands", {"dealer": 0})
    sent(arbiter, game, "stoppage", {})
    given = sent(arbiter, game, "rulings", {"decision": "adjust", "adjustments": [{"party": 1, "points": 9000}], "reason": "x"})
    assert [event["name"] for event in given["events"]] == ["dispute.ruled/1", "points.adjusted/1"]
    assert (given["phase"], given["events"][1]["body"]["effects"]) == ("game_over", [["over", [2, 1], {}]])
    row = viewer.get(f"/v1/games/{game}").json()
    assert (row["phase"], row["winners"], sheet(viewer, game)["places"]) == ("game_over", [1], [2, 1])
    assert captions(viewer, game, "en")[-1] == "Party 1: 9000 points by ruling 1. The game is over, won by seat 1."
    assert refused(recorder, game, "hands", {"dealer": 1}) == "game_over"
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
