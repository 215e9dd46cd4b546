"""A deal can be taken back until the first move of its hand, and says how it is entered again."""

from typing import Any

import pytest

from domain.access import Everything, Grant
from tests.api.conftest import Caller, Service, add_token, trailing

BOARD = ["9C", "7C", "8H", "2S"]
DECK = ["QC", "TD", "QH", "7D", "2C", "3C", "4C", "5C"]


def dealt(recorder: Caller, **given: Any) -> str:
    game = recorder.open()
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "deck": "unknown", "known": {"board": BOARD}, **given})
    assert answer.status_code == 201, answer.text
    return game


def state(caller: Caller, game: str) -> dict[str, Any]:
    told: dict[str, Any] = caller.get(f"/v1/games/{game}/rewinds").json()
    return told


def test_a_mistyped_deal_is_taken_back_and_entered_again(recorder: Caller, viewer: Caller):
    game = dealt(recorder)
    again = {"dealer": 0, "deck": "unknown", "known": {"board": BOARD}}
    assert state(recorder, game) == {"game": game, "position": 2, "earliest": 1, "again": again, "taken_back": False}
    assert recorder.post(f"/v1/games/{game}/rewinds?dry_run=true", {"to": 1}).status_code == 200
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 1}).status_code == 201
    told = state(recorder, game)
    assert (told["earliest"], told["limit"]["code"], told["again"], told["taken_back"]) == (None, "nothing_to_rewind", again, True)
    right = {"known": {"board": [*BOARD[:3], "2D"]}}
    assert recorder.post(f"/v1/games/{game}/hands", {**again, **right}).status_code == 201
    assert viewer.get(f"/v1/games/{game}/table").json()["table"] == right["known"]["board"]
    assert [event.get("void", False) for event in recorder.get(f"/v1/games/{game}/history").json()["events"]] == [False, True, False, False]
    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_after_the_first_move_the_deal_stays_and_the_limit_says_why(recorder: Caller):
    game = dealt(recorder)
    assert recorder.post(f"/v1/games/{game}/moves", trailing(1, "KS")).status_code == 201
    told = state(recorder, game)
    assert (told["earliest"], told["limit"]["code"], "again" in told) == (2, "rewind_too_far", False)
    refused = recorder.post(f"/v1/games/{game}/rewinds", {"to": 1}).json()
    assert (refused["code"], refused["detail"]) == ("rewind_too_far", told["limit"]["sentence"])
    assert "until the first move" in refused["detail"]


def test_a_deck_that_the_service_shuffled_stays(recorder: Caller):
    game = recorder.open()
    recorder.deal(game)
    told = state(recorder, game)
    assert (told["earliest"], "again" in told) == (2, False)
    assert "nobody typed its deck" in told["limit"]["sentence"]
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 1}).json()["code"] == "rewind_too_far"


def test_a_result_is_taken_back_and_reported_again(recorder: Caller):
    game = recorder.open()
    result = {"points": [8, 3]}
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "result": result})
    assert state(recorder, game)["again"] == {"dealer": 1, "result": result}
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 1})
    assert state(recorder, game)["again"] == {"dealer": 1, "result": result}
    assert "taken_back" not in recorder.get(f"/v1/games/{game}/score-sheet").json()


def test_who_sees_no_hand_is_told_of_no_hand(service: Service, recorder: Caller):
    add_token(service.services, "recorder", "tablet", Grant(Everything(), sees="public"))
    tablet = service.caller("tablet")
    game = dealt(recorder, known={"board": BOARD, "hand:0": ["AS", "AH"]})
    for _ in range(2):
        assert state(tablet, game)["again"]["known"] == {"board": BOARD}
        assert state(recorder, game)["again"]["known"] == {"board": BOARD, "hand:0": ["AS", "AH"]}
        assert recorder.get(f"/v1/games/{game}/score-sheet").status_code == 200
        recorder.post(f"/v1/games/{game}/rewinds", {"to": 1})


@pytest.mark.parametrize("role", ["arbiter", "committee", "viewer"])
def test_how_far_is_told_to_those_who_record(service: Service, recorder: Caller, role: str):
    assert service.caller(role).get(f"/v1/games/{dealt(recorder)}/rewinds").status_code == 403


def twice_dealt(recorder: Caller) -> str:
    """The second deal stands, and its hand was played to the end."""
    game = dealt(recorder)
    recorder.post(f"/v1/games/{game}/rewinds", {"to": 1})
    recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK, "fill": "sorted"})
    return game


def test_every_deal_that_was_taken_back_stands_on_the_sheet(recorder: Caller):
    game, path = twice_dealt(recorder), "/v1/games/{}/score-sheet".format
    assert recorder.get(path(game)).json()["taken_back"] == [{"hand": 1, "times": 1}]
    assert "taken_back" not in recorder.get(f"{path(game)}?position=2").json()
    assert recorder.get(f"{path(game)}?position=3").json()["taken_back"] == [{"hand": 1, "times": 1}]
    assert "1,,taken back 1,deal,," in recorder.get(f"{path(game)}?format=csv").text
    english, german = (recorder.get(f"{path(game)}?format=html", headers={"Accept-Language": spoken}).text for spoken in ("en", "de"))
    assert "deal of hand 1 taken back (once)" in english
    assert "Geben von Spiel 1 zurückgenommen (einmal)" in german
