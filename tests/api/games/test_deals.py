"""Deals over HTTP as people enter them: cards by the zone where they lie."""

from typing import Any

import pytest

from tests.api.conftest import Caller

BOARD = ["3H", "9C", "KD", "2D"]
HAND = ["2S", "3S", "8S", "9S"]


def dealt(caller: Caller, **given: Any) -> Any:
    return caller.post(f"/v1/games/{caller.open()}/hands", {"dealer": 1, **given})


def test_a_deal_by_zones_is_the_deal_of_an_unknown_deck_of_which_so_much_is_known(recorder: Caller):
    zones = {"hand:0": HAND, "board": BOARD}
    by_zones, beside = dealt(recorder, deal=zones), dealt(recorder, deck="unknown", known=zones)
    assert (by_zones.status_code, by_zones.json()["events"][0]["body"]) == (201, beside.json()["events"][0]["body"])
    body = by_zones.json()["events"][0]["body"]
    assert (body["how"], body["effects"][1][4].count("?")) == ("recorded", 44)


def test_what_is_not_named_is_unknown(recorder: Caller):
    game = recorder.open()
    assert recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deal": {"hand:0": ["2S", "?", "9S"], "board": BOARD}}).status_code == 201
    table = recorder.get(f"/v1/games/{game}/table").json()
    assert (sorted(table["hands"][0]), table["hands"][1], table["table"]) == (["2S", "9S", "?", "?"], ["?"] * 4, BOARD)
    assert recorder.get(f"/v1/games/{game}/record").json()["hands"][0]["deck"].count("?") == 46


def test_cards_that_everybody_sees_are_asked_for(recorder: Caller):
    answer = dealt(recorder, deal={"hand:0": HAND})
    assert (answer.status_code, answer.json()["code"]) == (422, "card_unknown")
    assert answer.json()["asks"] == [{"zone": "board", "places": [0, 1, 2, 3]}]


@pytest.mark.parametrize(
    ("zones", "code"),
    [
        ({"board": [*BOARD[:3], "3H"]}, "card_impossible"),
        ({"board": [*BOARD, "4D"]}, "card_impossible"),
        ({"board": BOARD, "hand:0": [*HAND, "TS"]}, "card_impossible"),
        ({"board": BOARD, "hand:9": ["TS"]}, "card_impossible"),
        ({"board": BOARD, "pile": ["TS"]}, "card_impossible"),
        ({"board": [*BOARD[:3], "XX"]}, "bad_deck"),
        ({"board": "3H"}, "bad_deck"),
        ([BOARD], "bad_deck"),
    ],
)
def test_what_cannot_be_is_refused(recorder: Caller, zones: Any, code: str):
    answer = dealt(recorder, deal=zones)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


@pytest.mark.parametrize("beside", [{"deck": "unknown"}, {"fill": "sorted"}, {"known": {}}])
def test_it_stands_in_the_place_of_a_deck(recorder: Caller, beside: dict[str, Any]):
    answer = dealt(recorder, deal={"board": BOARD}, **beside)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_body")


def test_a_record_takes_it_too(recorder: Caller):
    hand = {"dealer": 1, "deal": {"hand:0": HAND, "board": BOARD}, "moves": [{"seat": 0, "move": {"type": "trail", "card": "8S"}}]}
    record = {"ruleset": "casino", "seats": 2, "hands": [hand]}
    done = recorder.post("/v1/records", record)
    assert done.status_code == 201
    exported = recorder.get(f"/v1/games/{done.json()['records'][0]['game']}/record").json()
    assert (sorted(exported["hands"][0]), exported["hands"][0]["deck"].count("?")) == (["dealer", "deck", "moves"], 44)
    same = {**hand, "deck": "unknown", "known": hand["deal"]}
    del same["deal"]
    assert recorder.post("/v1/records", {**record, "hands": [same]}).json()["already"] == 1


@pytest.mark.parametrize("wrong", [{"deck": "unknown"}, {"fill": "unknown"}, {"known": {}}])
def test_a_record_has_a_deal_or_a_deck(recorder: Caller, wrong: dict[str, Any]):
    hand = {"dealer": 1, "deal": {"board": BOARD}, "moves": [], **wrong}
    answer = recorder.post("/v1/records", {"ruleset": "casino", "seats": 2, "hands": [hand]})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed_record")


def test_a_hand_without_either_is_none(recorder: Caller):
    answer = recorder.post("/v1/records", {"ruleset": "casino", "seats": 2, "hands": [{"dealer": 1, "moves": []}]})
    assert (answer.json()["code"], answer.json()["where"]) == ("malformed_record", "record.hands[0]")
