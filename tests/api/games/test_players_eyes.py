"""A player sees the game as the seat does that he holds; when he has left it, up to there; where he never sat, as everybody does."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from domain.access import Grant, OfGame, OfTournament, Scope
from tests.api.conftest import Caller, Service, add_token

DECK = ("3H", "8C", "9D", "6S", "KD", "KC", "2S", "5H", "JC", "4D", "AH", "TS")
FIELDS = ("table", "history", "replay")


def opened(service: Service, tournament: str, table: str = "1", **wanted: Any) -> str:
    recorder = service.caller("recorder")
    game = recorder.open(tournament=tournament, round=1, table=table, players=["p0", "p1"], **wanted)
    recorder.deal(game, *DECK)
    return game


def player(service: Service, scope: Scope, **bound: Any) -> Caller:
    name = f"player {len(service.services.registers.list_tokens())}"
    return replace(service.caller("viewer"), token=add_token(service.services, "player", name, Grant(scope, **bound)))


def as_seat(service: Service, game: str, seat: int, path: str = "table") -> Any:
    return service.caller("arbiter").get(f"/v1/games/{game}/{path}{'&' if '?' in path else '?'}view=seat:{seat}").content


def test_a_player_of_a_tournament_sees_his_game_as_his_seat_does(service: Service):
    game = opened(service, "eyes 1")
    one = player(service, OfTournament("eyes 1"), player="p1")
    shown = one.get(f"/v1/games/{game}/table")
    assert shown.headers["content-location"] == f"/v1/games/{game}/table?position=2&view=seat:1"
    assert shown.content == as_seat(service, game, 1)
    assert one.get(f"/v1/games/{game}/replay").content == as_seat(service, game, 1, "replay")
    assert [one.get(f"/v1/games/{game}/table?view={view}").status_code for view in ("seat:1", "public", "seat:0", "arbiter", "seat:2")] == [
        *(200, 200, 403, 403, 404)
    ]


def test_in_a_game_of_others_a_player_sees_what_a_viewer_sees(service: Service):
    game = opened(service, "eyes 2")
    one = player(service, OfTournament("eyes 2"), player="p7")
    for field in FIELDS:
        assert one.get(f"/v1/games/{game}/{field}").content == service.caller("viewer").get(f"/v1/games/{game}/{field}").content


def test_who_is_bound_to_a_seat_of_a_game_sees_as_it_does_and_another_game_as_a_viewer(service: Service):
    game, other = opened(service, "eyes 3"), opened(service, "eyes 3", "2")
    one = player(service, OfGame(UUID(game), "eyes 3", 1, "1"), seat=0)
    assert one.get(f"/v1/games/{game}/table").content == as_seat(service, game, 0)
    assert one.get(f"/v1/games/{other}/table").content == service.caller("viewer").get(f"/v1/games/{other}/table").content


@pytest.mark.parametrize("by", ["player", "seat"])
def test_who_left_his_seat_sees_as_it_does_up_to_there_and_then_what_a_viewer_sees(service: Service, by: str):
    name = f"eyes of one who left by {by}"
    game, recorder = opened(service, name), service.caller("recorder")
    held = {"player": "p0"} if by == "player" else {"seat": 0}
    scope: Scope = OfTournament(name) if by == "player" else OfGame(UUID(game), name, 1, "1")
    gone, other = player(service, scope, **held), player(service, OfTournament(name), player="p1")
    assert recorder.trail(game, 0, "3H").status_code == 201
    assert recorder.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"}).status_code == 201
    assert recorder.trail(game, 1, "KD").status_code == 201
    come = player(service, OfTournament(name), player="p9")
    for position in range(1, 6):
        path = f"table?position={position}"
        seen = as_seat(service, game, 0, path)
        shown = gone.get(f"/v1/games/{game}/{path}").content
        assert shown == (seen if position <= 4 else service.caller("viewer").get(f"/v1/games/{game}/{path}").content)
        assert come.get(f"/v1/games/{game}/{path}").content == seen
        assert other.get(f"/v1/games/{game}/{path}").content == as_seat(service, game, 1, path)
    frames = gone.get(f"/v1/games/{game}/replay").json()
    assert frames["view"] == "seat:0"
    assert [frame["table"]["hands"][0][0] == "?" for frame in frames["frames"][1:]] == [False, False, False, True]
    assert gone.get(f"/v1/games/{game}/table").headers["content-location"].endswith("position=5&view=public")


def test_a_seat_that_was_given_after_a_change_goes_with_the_new_player(service: Service):
    game, recorder = opened(service, "eyes 5"), service.caller("recorder")
    assert recorder.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"}).status_code == 201
    come = player(service, OfGame(UUID(game), "eyes 5", 1, "1"), seat=0, since=3)
    assert come.get(f"/v1/games/{game}/table").content == as_seat(service, game, 0)


def test_a_token_for_a_seat_goes_with_whoever_sits_there_when_it_is_given(service: Service):
    game, director = opened(service, "eyes 8"), service.caller("director")
    assert director.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"}).status_code == 201
    given = director.post("/v1/tokens", {"role": "player", "scope": {"game": game}, "seat": 0})
    come = replace(service.caller("viewer"), token=given.json()["secret"])
    assert come.get(f"/v1/games/{game}/table").content == as_seat(service, game, 0)
    assert director.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p8"}).status_code == 201
    assert come.get(f"/v1/games/{game}/table?position=4").content == as_seat(service, game, 0, "table?position=4")
    assert service.caller("recorder").trail(game, 0, "3H").status_code == 201
    assert come.get(f"/v1/games/{game}/table").content == service.caller("viewer").get(f"/v1/games/{game}/table").content


def test_who_is_noted_on_a_seat_of_nobody_in_particular_takes_it_from_nobody(service: Service):
    recorder = service.caller("recorder")
    game = recorder.open(tournament="eyes 6")
    recorder.deal(game, *DECK)
    one = player(service, OfGame(UUID(game), "eyes 6"), seat=0)
    assert recorder.post(f"/v1/games/{game}/players", {"seat": 0, "player": "p9"}).status_code == 201
    assert one.get(f"/v1/games/{game}/table").content == as_seat(service, game, 0)


def test_a_player_s_history_tells_the_cards_of_his_seat_and_no_others(service: Service):
    game = opened(service, "eyes 7")
    one = player(service, OfTournament("eyes 7"), player="p1")
    dealt = str(one.get(f"/v1/games/{game}/history").json()["events"][1]["body"]["effects"])
    assert [card in dealt for card in ("KD", "TS", "3H", "8C")] == [True, True, False, False]
    lines = one.get(f"/v1/games/{game}/history", headers={"accept": "application/x-ndjson"}).text
    assert [card in lines for card in ("KD", "TS", "3H", "8C")] == [True, True, False, False]
