"""What a player does, he does for the seat that he holds: he makes his moves where the game lets him, and no refusal tells him a card."""

from typing import Any
from uuid import UUID

import pytest

from domain.access import OfGame, OfTournament
from tests.api.conftest import Service, trailing
from tests.api.games.test_players_eyes import DECK, player

OWN: dict[str, Any] = {"own_moves": True}


def opened(service: Service, tournament: str, deck: tuple[str, ...] = DECK, **wanted: Any) -> str:
    recorder = service.caller("recorder")
    game = recorder.open(tournament=tournament, round=1, table="1", players=["p0", "p1"], **wanted)
    recorder.deal(game, *deck)
    return game


def told(answer: Any) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("code")


# His own moves


def test_a_player_makes_no_move_where_a_recorder_does(service: Service):
    game = opened(service, "acts 1")
    answer = player(service, OfTournament("acts 1"), player="p0").post(f"/v1/games/{game}/moves", trailing(0, "3H"))
    assert told(answer) == (403, "forbidden")
    assert service.caller("recorder").get(f"/v1/games/{game}").json()["position"] == 2


def test_where_the_game_says_so_a_player_makes_his_own_moves_and_is_answered_as_his_seat(service: Service):
    game = opened(service, "acts 2", **OWN)
    one, other = (player(service, OfTournament("acts 2"), player=name) for name in ("p0", "p1"))
    assert told(other.post(f"/v1/games/{game}/moves", trailing(0, "3H"))) == (403, "forbidden")
    answer = one.post(f"/v1/games/{game}/moves", trailing(0, "3H"))
    assert (answer.status_code, answer.json()["events"]) == (201, one.get(f"/v1/games/{game}/history?after=2").json()["events"])
    assert answer.json()["events"][0]["by"].startswith("p_player ")
    assert other.post(f"/v1/games/{game}/moves", {"seat": 1, "text": "kd"}).status_code == 201
    assert service.caller("arbiter").get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    opening = service.caller("viewer").get(f"/v1/games/{game}/history").json()["events"][0]["body"]
    assert opening["own_moves"] is True


@pytest.mark.parametrize(
    "body",
    [
        {"moves": [trailing(0, "3H"), trailing(1, "KD")]},
        {"seat": 1, "move": {"type": "trail", "card": "KD"}},
        {**trailing(0, "3H"), "known": {"hand:1": ["KD"]}},
        {**trailing(0, "3H"), "lacks": {"stock": ["KD"]}},
    ],
)
def test_a_player_enters_one_move_of_his_own_and_tells_no_other_cards(service: Service, body: dict[str, Any]):
    game = opened(service, "acts 3", **OWN)
    one = player(service, OfGame(UUID(game), "acts 3"), seat=0)
    assert told(one.post(f"/v1/games/{game}/moves", body)) == (403, "forbidden")
    assert service.caller("recorder").get(f"/v1/games/{game}").json()["position"] == 2


def test_what_a_move_would_do_nobody_tells_a_player(service: Service):
    game = opened(service, "acts 4", **OWN)
    one = player(service, OfTournament("acts 4"), player="p0")
    assert told(one.post(f"/v1/games/{game}/moves?dry_run=true", trailing(0, "3H"))) == (403, "forbidden")
    assert told(one.get(f"/v1/games/{game}/legal-moves?effects=true")) == (403, "forbidden")


def test_a_refusal_of_his_move_is_that_of_what_he_sees(service: Service):
    game = opened(service, "acts 5", **OWN)
    one = player(service, OfTournament("acts 5"), player="p0")
    assert told(one.post(f"/v1/games/{game}/moves", trailing(0, "KD"))) == (422, "card_not_in_hand")
    assert told(player(service, OfTournament("acts 5"), player="p1").post(f"/v1/games/{game}/moves", trailing(1, "KD"))) == (
        *(422, "not_your_turn"),
    )


def test_who_has_left_his_seat_makes_no_move(service: Service):
    game = opened(service, "acts 6", **OWN)
    one = player(service, OfTournament("acts 6"), player="p0")
    service.caller("recorder").post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"})
    assert told(one.post(f"/v1/games/{game}/moves", trailing(0, "3H"))) == (403, "forbidden")
    come = player(service, OfTournament("acts 6"), player="p9")
    assert come.post(f"/v1/games/{game}/moves", trailing(0, "3H")).status_code == 201


def test_games_of_a_tournament_take_its_own_moves(service: Service):
    director = service.caller("director")
    body = {"id": "acts 7", "ruleset": "casino", "seats": 2, "format": "round_robin", "own_moves": True}
    assert director.post("/v1/tournaments", body).status_code == 201
    assert director.get("/v1/tournaments/acts 7").json()["own_moves"] is True
    assert director.post("/v1/tournaments/acts 7/correction", {"own_moves": False}).status_code == 201
    assert director.get("/v1/tournaments/acts 7").json()["own_moves"] is False
    assert director.post("/v1/tournaments/acts 7/correction", {"own_moves": True}).status_code == 201
    for name in ("p0", "p1"):
        assert director.post("/v1/tournaments/acts 7/entries", {"players": [name]}).status_code == 201
    assert director.post("/v1/tournaments/acts 7/rounds", {}).status_code == 201
    (game,) = [one["game"] for one in director.post("/v1/tournaments/acts 7/rounds/1/games", {}).json()["tables"]]
    opening = director.get(f"/v1/games/{game}/history").json()["events"][0]["body"]
    assert opening["own_moves"] is True
    assert director.get("/v1/tournaments/acts 7/audit").json()["verdict"] == "sound"


# What he may play


def test_a_player_is_told_what_his_own_seat_may_play(service: Service):
    game, recorder = opened(service, "acts 8"), service.caller("recorder")
    one, other = (player(service, OfTournament("acts 8"), player=name) for name in ("p0", "p1"))
    assert one.get(f"/v1/games/{game}/legal-moves").json()["moves"] == recorder.get(f"/v1/games/{game}/legal-moves").json()["moves"]
    assert (other.get(f"/v1/games/{game}/legal-moves").json()["seat"], other.get(f"/v1/games/{game}/legal-moves").json()["moves"]) == (
        1,
        [],
    )
    assert told(one.get(f"/v1/games/{game}/legal-moves?seat=1")) == (403, "forbidden")
    assert one.post(f"/v1/games/{game}/branches", {"position": 2, "moves": [trailing(0, "3H")]}).json()["moves"][0]["legal"] is True
    assert told(one.post(f"/v1/games/{game}/branches", {"position": 2, "moves": [trailing(1, "KD")]})) == (403, "forbidden")


# Words


def test_a_player_raises_a_dispute_appeals_and_withdraws_for_his_own_seat(service: Service):
    game, arbiter = opened(service, "acts 9"), service.caller("arbiter")
    one, other = (player(service, OfTournament("acts 9"), player=name) for name in ("p0", "p1"))
    disputes = f"/v1/games/{game}/disputes"
    assert told(one.post(disputes, {"claim": "Seat 1 looked.", "seat": 1})) == (403, "forbidden")
    raised = one.post(disputes, {"claim": "Seat 1 looked."})
    assert (raised.status_code, raised.json()["events"][0]["body"]["seat"]) == (201, 0)
    assert told(other.post(f"{disputes}/1/withdrawal", {})) == (403, "forbidden")
    assert arbiter.post(f"/v1/games/{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "so"}).status_code == 201
    assert other.post(f"{disputes}/1/appeals", {}).status_code == 201
    assert told(one.post(f"{disputes}/1/withdrawal", {})) == (403, "forbidden")
    assert other.post(f"{disputes}/1/withdrawal", {}).status_code == 201
    assert [one["seat"] for one in arbiter.get(disputes).json()["disputes"]] == [0]


def test_a_stranger_to_the_game_speaks_for_nobody(service: Service):
    game = opened(service, "acts 10")
    stranger = player(service, OfTournament("acts 10"), player="p7")
    assert told(stranger.post(f"/v1/games/{game}/disputes", {"claim": "so"})) == (403, "forbidden")
    assert told(stranger.post(f"/v1/games/{game}/signatures", {"party": 0, "position": 2})) == (403, "forbidden")


def test_a_player_signs_the_sheet_for_his_own_party(service: Service):
    recorder = service.caller("recorder")
    game = recorder.open(tournament="acts 11", round=1, table="1", players=["p0", "p1"])
    assert recorder.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [7, 4]}}).status_code == 201
    one = player(service, OfTournament("acts 11"), player="p1")
    digest = one.get(f"/v1/games/{game}/score-sheet?digest=true").json()["digest"]
    assert told(one.post(f"/v1/games/{game}/signatures", {"party": 0, "digest": digest})) == (403, "forbidden")
    assert told(one.post(f"/v1/games/{game}/signatures", {"party": 9, "digest": digest})) == (403, "forbidden")
    assert one.post(f"/v1/games/{game}/signatures", {"party": 1, "digest": digest}).status_code == 201
    assert recorder.post(f"/v1/games/{game}/signatures", {"party": 0, "digest": digest}).status_code == 201
    assert told(one.post(f"/v1/games/{game}/signatures/4/withdrawal", {})) == (403, "forbidden")
    assert one.post(f"/v1/games/{game}/signatures/3/withdrawal", {}).status_code == 201


def test_a_player_confirms_a_result_for_his_own_side(service: Service):
    director = service.caller("director")
    body = {"id": "acts 12", "ruleset": "canasta", "seats": 4, "format": "round_robin"}
    assert director.post("/v1/tournaments", body).status_code == 201
    for pair in (["a", "b"], ["c", "d"]):
        assert director.post("/v1/tournaments/acts 12/entries", {"players": pair}).status_code == 201
    assert director.post("/v1/tournaments/acts 12/rounds", {}).status_code == 201
    first, second, path = 1, 2, "/v1/tournaments/acts 12/rounds/1/tables/1"
    assert director.put(f"{path}/result", {"points": [7, 4], "side": first}).status_code == 201
    names = {1: ("a", "b"), 2: ("c", "d")}
    for name in names[first]:
        one = player(service, OfTournament("acts 12"), player=name)
        assert told(one.post(f"{path}/confirmation", {"side": second})) == (403, "forbidden")
    assert told(player(service, OfTournament("acts 12")).post(f"{path}/confirmation", {"side": second})) == (403, "forbidden")
    one = player(service, OfTournament("acts 12"), player=names[second][1])
    assert told(one.put(f"{path}/result", {"points": [7, 4], "side": second})) == (403, "forbidden")
    assert one.post(f"{path}/confirmation", {"side": second}).status_code == 201
