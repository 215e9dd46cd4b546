"""What a token is good for, by its scope: in it all that its role may do, beyond it what a viewer reads, and no write."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from api.http.request import ROLES
from domain.access import Grant, OfGame, OfTable, OfTournament, Scope
from tests.api.conftest import Caller, Service, add_token

HANDS = {"dealer": 0}


def opened(service: Service, tournament: str, table: str, round: int = 1) -> str:
    body = {"ruleset": "casino", "seats": 2, "tournament": tournament, "round": round, "table": table}
    game: str = service.caller("director").post("/v1/games", body).json()["game"]
    assert service.caller("director").post(f"/v1/games/{game}/hands", HANDS).status_code == 201
    return game


def scoped(service: Service, role: str, scope: Scope, **more: Any) -> Caller:
    name = f"{role} {len(service.services.registers.list_tokens())}"
    return replace(service.caller("viewer"), token=add_token(service.services, role, name, Grant(scope, **more)))


def test_a_recorder_of_table_1_sees_its_cards_and_of_table_2_what_a_viewer_sees(service: Service):
    mine, other = opened(service, "spring", "1"), opened(service, "spring", "2")
    table_1, viewer, all_seeing = (
        scoped(service, "recorder", OfTable("spring", "1", 1)),
        service.caller("viewer"),
        service.caller("recorder"),
    )
    for path in ("table", "history", "replay", "score-sheet"):
        assert table_1.get(f"/v1/games/{mine}/{path}").content == all_seeing.get(f"/v1/games/{mine}/{path}").content
        assert table_1.get(f"/v1/games/{other}/{path}").content == viewer.get(f"/v1/games/{other}/{path}").content


@pytest.mark.parametrize("role", [role for role in ROLES if role not in ("viewer", "player")])
def test_beyond_its_scope_every_write_of_a_token_is_403_and_records_nothing(service: Service, role: str):
    mine, other = opened(service, "spring", "1"), opened(service, "spring", "2")
    caller = scoped(service, role, OfTable("spring", "1", 1))
    writes = [(f"/v1/games/{other}/disputes", {"position": 2}), (f"/v1/games/{other}/notes", {"text": "so"})]
    answers = [caller.post(path, body) for path, body in writes]
    codes = [(answer.status_code, answer.json()["code"]) for answer in answers]
    assert codes == [(403, "forbidden")] * 2
    assert service.caller("viewer").get(f"/v1/games/{other}").json()["position"] == 2
    assert caller.post(f"/v1/games/{mine}/notes", {"text": "so"}).status_code == 201


def test_games_of_earlier_rounds_are_beyond_a_table_that_was_given_later(service: Service):
    before, after = opened(service, "spring", "1", 1), opened(service, "spring", "1", 2)
    caller = scoped(service, "recorder", OfTable("spring", "1", 2))
    assert [caller.post(f"/v1/games/{game}/notes", {"text": "so"}).status_code for game in (before, after)] == [403, 201]


def test_what_is_of_another_tournament_and_not_published_is_unknown(service: Service):
    other = opened(service, "autumn", "1")
    caller = scoped(service, "director", OfTournament("spring"))
    assert caller.get(f"/v1/games/{other}").json()["code"] == "unknown_game"
    assert caller.get("/v1/tournaments/autumn").json()["code"] == "unknown_tournament"
    assert caller.post(f"/v1/games/{other}/notes", {"text": "so"}).status_code == 403
    assert caller.post("/v1/games/00000000-0000-0000-0000-000000000009/notes", {"text": "so"}).status_code == 403


def test_a_game_is_opened_in_the_scope_alone(service: Service):
    caller = scoped(service, "recorder", OfTable("spring", "1", 1))
    place = {"tournament": "spring", "round": 1, "table": "1"}
    body = {"ruleset": "casino", "seats": 2}
    given = [body | place, body | place | {"table": "2"}, body]
    assert [caller.post("/v1/games", one).status_code for one in given] == [201, 403, 403]


def test_a_token_of_one_game_reads_its_tournament_as_a_viewer_does(service: Service):
    mine, other = opened(service, "spring", "1"), opened(service, "spring", "2")
    caller, viewer = scoped(service, "arbiter", OfGame(service.services.new_id(), "spring", 1, "1")), service.caller("viewer")
    for game in (mine, other):
        assert caller.get(f"/v1/games/{game}/table").content == viewer.get(f"/v1/games/{game}/table").content


def test_a_recorder_who_sees_what_is_public_records_all_the_same(service: Service):
    mine = opened(service, "spring", "1")
    caller = scoped(service, "recorder", OfTable("spring", "1", 1), sees="public")
    assert caller.get(f"/v1/games/{mine}/table").content == service.caller("viewer").get(f"/v1/games/{mine}/table").content
    assert caller.post(f"/v1/games/{mine}/notes", {"text": "so"}).status_code == 201


def test_what_belongs_to_the_house_takes_a_token_for_everything(service: Service):
    director = scoped(service, "director", OfTournament("spring"))
    assert [director.get(path).status_code for path in ("/metrics", "/v1/players/anna/audit", "/v1/rulesets")] == [403, 403, 200]


def test_a_token_ends_at_its_time(service: Service):
    caller = replace(service.caller("viewer"), token=add_token(service.services, "viewer", "late", expires_at="2000-01-01T00:00:00Z"))
    answer = caller.get("/v1/games")
    assert (answer.status_code, answer.json()["detail"]) == (401, "This token expired at 2000-01-01T00:00:00Z. Ask for a new one.")


def test_a_game_of_no_tournament_is_unknown_to_who_has_a_tournament_and_a_tournament_to_who_has_the_game(service: Service):
    free, played = service.caller("director").open(), opened(service, "spring", "1")
    of_spring, of_game = scoped(service, "director", OfTournament("spring")), scoped(service, "director", OfGame(UUID(free)))
    assert [caller.get(f"/v1/games/{game}/table").status_code for caller in (of_spring, of_game) for game in (free, played)] == [
        404,
        200,
        200,
        404,
    ]
