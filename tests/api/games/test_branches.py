"""What if? Lines of moves that are tried and never recorded."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service, trailing
from tests.api.games.test_writing import dealt, first_card
from tests.api.play import worked


def tried(caller: Caller, game: str, position: int, *moves: dict[str, Any], **given: Any) -> Any:
    return caller.post(f"/v1/games/{game}/branches", {"position": position, "moves": list(moves)}, **given)


def test_a_line_is_tried_from_a_position_of_the_past_and_nothing_is_recorded(recorder: Caller):
    game = dealt(recorder)
    hands = recorder.get(f"/v1/games/{game}/table").json()["hands"]
    before = recorder.trail(game, 0, hands[0][0]).json()["position"]
    answer = tried(recorder, game, 2, trailing(0, hands[0][1]), trailing(1, hands[1][2]))
    found = answer.json()
    assert answer.status_code == 200
    assert [move["legal"] for move in found["moves"]] == [True, True]
    assert [move["effects"][0][:2] for move in found["moves"]] == [["moved", [hands[0][1]]], ["moved", [hands[1][2]]]]
    assert [len(hand) for hand in found["table"]["hands"]] == [3, 3]
    assert recorder.get(f"/v1/games/{game}").json()["position"] == before


def test_the_same_line_played_does_what_was_foretold(recorder: Caller):
    game = dealt(recorder)
    hands = recorder.get(f"/v1/games/{game}/table").json()["hands"]
    line = [trailing(seat, hands[seat][number]) for number in range(2) for seat in range(2)]
    foretold = tried(recorder, game, 2, *line).json()
    events = recorder.post(f"/v1/games/{game}/moves", {"moves": line}).json()["events"]
    assert [event["body"]["effects"] for event in events] == [move["effects"] for move in foretold["moves"]]
    assert recorder.get(f"/v1/games/{game}/table").json() == foretold["table"]


def test_a_refused_move_says_why_and_the_next_is_tried_on_the_same_table(recorder: Caller):
    game = dealt(recorder)
    card = first_card(recorder, game)
    answer = tried(recorder, game, 2, trailing(1, card), trailing(0, card), headers={"Accept-Language": "de"})
    wrong, right = answer.json()["moves"]
    assert wrong == {
        **trailing(1, card),
        "legal": False,
        "code": "not_your_turn",
        "rules": wrong["rules"],
        "sentence": "Sitz 1 ist nicht an der Reihe. Am Zug: Sitz 0.",
    }
    assert wrong["rules"][0]["number"] == "COM-25"
    assert right["legal"]


def test_a_viewer_tries_nothing_until_the_game_is_open(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    closed, opened = dealt(recorder), worked(recorder, "game-two-players-classic")
    card = first_card(recorder, closed)
    for move in (trailing(0, card), trailing(1, card)):
        answer = tried(viewer, closed, 2, move)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert "sentence" not in answer.json()
    assert tried(viewer, opened, 2, trailing(0, "KC")).json() == tried(recorder, opened, 2, trailing(0, "KC")).json()


def test_a_player_is_told_of_his_own_next_move_whether_it_is_legal_or_the_code(service: Service):
    recorder, viewer = service.caller("recorder"), service.caller("viewer")
    game = dealt(recorder)
    hands = recorder.get(f"/v1/games/{game}/table").json()["hands"]
    own, foreign = trailing(0, hands[0][0]), trailing(0, hands[1][0])
    for move, told in ((own, {"legal": True}), (foreign, {"legal": False, "code": "card_not_in_hand"})):
        answer = asked_for(recorder, game, "seat:0", move)
        assert (answer.status_code, answer.json()) == (200, {"game": game, "position": 2, "moves": [{**move, **told}]})
    for view, moves in (("seat:0", [own, own]), ("seat:1", [own]), ("public", [own]), ("seat:0", [trailing(1, hands[1][0])])):
        assert asked_for(recorder, game, view, *moves).json()["code"] == "forbidden"
    for view in ("seat:0", "public", "arbiter"):
        assert asked_for(viewer, game, view, own).json()["code"] == "forbidden"


def test_of_an_open_game_everybody_is_told_everything(service: Service):
    game = worked(service.caller("recorder"), "game-two-players-classic")
    line = [trailing(0, "KC"), trailing(1, "KC")]
    told = [asked_for(service.caller("viewer"), game, view, *line).json() for view in ("seat:0", "public", "arbiter")]
    assert told[0] == told[1] == told[2]
    assert "table" in told[0]


def asked_for(caller: Caller, game: str, view: str, *moves: dict[str, Any]) -> Any:
    return caller.post(f"/v1/games/{game}/branches", {"position": 2, "view": view, "moves": list(moves)})


@pytest.mark.parametrize("position", [3, 2**31 - 1])
def test_a_position_beyond_the_last_is_unknown(service: Service, position: int):
    recorder = service.caller("recorder")
    answer = tried(recorder, dealt(recorder), position, trailing(0, "KC"))
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_position")


def test_before_the_first_hand_and_after_the_last_every_move_is_refused(recorder: Caller):
    assert tried(recorder, recorder.open(), 1, trailing(0, "KC")).json()["moves"][0]["code"] == "hand_over"
    game = worked(recorder, "game-two-players-classic")
    last = recorder.get(f"/v1/games/{game}").json()["position"]
    assert tried(recorder, game, last, trailing(0, "KC")).json()["moves"][0]["code"] == "game_over"
