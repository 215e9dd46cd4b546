"""Tokens that a director issues: what they are good for, and that nobody gives more than he has."""

import logging
from typing import Any
from uuid import UUID, uuid4

import pytest

from domain.access import Grant, OfGame, OfTable, OfTournament
from tests.api.access.people import holding, issued, with_secret
from tests.api.conftest import Service
from tests.api.tournament import announced, entered, opened, paired

NEVER, SOON, LATER = None, "2999-01-01T10:00:00.000000Z", "2999-01-02T00:00:00.000000Z"
TABLE = {"tournament": "spring", "table": "1", "since": 2}


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def in_a_round(service: Service) -> tuple[str, str]:
    """A tournament in its first round with the entrants p1 to p4; answers its id and the game of table 1."""
    director = service.caller("director")
    address = announced(director, rounds=2)
    entered(director, address, 4)
    paired(director, address)
    return address.rpartition("/")[2], opened(director, address)["1"]


def test_the_answer_tells_what_the_token_is_good_for_and_its_secret(service: Service):
    told = issued(service.caller("director"), scope=TABLE, sees="public", label="Table 1", expires_at="2999-01-01T11:00:00+01:00")
    secret, made = told.pop("secret"), {name: told.pop(name) for name in ("id", "principal", "issued_at")}
    assert secret.startswith("kb_")
    assert len(made["id"]) == 8
    assert str(UUID(made["principal"])) == made["principal"]
    assert told == {
        "role": "recorder",
        "scope": TABLE,
        "sees": "public",
        "label": "Table 1",
        "expires_at": SOON,
        "issued_by": "p_director",
        "used_at": None,
        "revoked_at": None,
    }


def test_the_secret_lets_in_with_that_role_and_scope(service: Service):
    director = service.caller("director")
    token = issued(director, role="arbiter", scope={"tournament": "spring"})
    answer = with_secret(director, token).get("/v1/me")
    assert answer.json() == {
        "principal": token["principal"],
        "token": token["id"],
        "role": "arbiter",
        "scope": {"tournament": "spring"},
        "sees": "all",
        "expires_at": None,
    }
    assert answer.headers["cache-control"] == "no-store"


def test_no_answer_with_a_secret_may_be_kept_and_no_log_tells_it(service: Service, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    director = service.caller("director")
    body = {"role": "viewer", "scope": "everything"}
    first = director.post("/v1/tokens", body)
    second = director.post(f"/v1/tokens/{first.json()['id']}/rotation", {})
    assert [answer.headers["cache-control"] for answer in (first, second)] == ["no-store", "no-store"]
    assert [answer.json()["secret"] for answer in (first, second) if answer.json()["secret"] in caplog.text] == []


def test_a_game_brings_its_tournament_round_and_table(service: Service):
    tournament, game = in_a_round(service)
    told = issued(service.caller("director"), scope={"game": game})
    assert told["scope"] == {"tournament": tournament, "round": 1, "table": "1", "game": game}
    free = service.caller("director").open()
    assert issued(service.caller("director"), scope={"game": free})["scope"] == {"game": free}


def test_a_table_is_given_from_the_round_that_is_on(service: Service):
    tournament, _ = in_a_round(service)
    director = service.caller("director")
    told = [issued(director, scope={"tournament": tournament, "table": "1", **since})["scope"]["since"] for since in ({}, {"since": 7})]
    assert told == [1, 7]
    early = announced(director).rpartition("/")[2]
    assert issued(director, scope={"tournament": early, "table": "1"})["scope"]["since"] == 1
    answer = director.post("/v1/tokens", {"role": "recorder", "scope": {"tournament": "unheard of", "table": "1"}})
    assert code(answer) == (404, "unknown_tournament")


@pytest.mark.parametrize(
    "scope",
    [{}, {"table": "1"}, {"since": 1}, {"tournament": "spring", "since": 1}, {"tournament": "spring", "game": str(uuid4())}, "all", None],
)
def test_what_is_no_scope_is_refused(service: Service, scope: object):
    answer = service.caller("director").post("/v1/tokens", {"role": "recorder", "scope": scope})
    assert (*code(answer), answer.json()["where"]) == (422, "malformed_body", "scope")


def test_a_player_is_bound_to_an_entered_id_or_to_a_seat(service: Service):
    tournament, game = in_a_round(service)
    director = service.caller("director")
    known = issued(director, role="player", scope={"tournament": tournament}, player="p3")
    seated = issued(director, role="player", scope={"game": game}, seat=1)
    assert (known["player"], seated["seat"]) == ("p3", 1)
    unknown: list[dict[str, Any]] = [
        {"scope": {"tournament": tournament}, "player": "p5"},
        {"scope": {"game": game}, "seat": 2},
        {"scope": {"game": str(uuid4())}, "seat": 1},
        {"scope": {"tournament": "unheard of"}, "player": "p1"},
    ]
    answers = [director.post("/v1/tokens", {"role": "player", **one}) for one in unknown]
    assert list(map(code, answers)) == [(404, f"unknown_{what}") for what in ("player", "seat", "game", "tournament")]


@pytest.mark.parametrize(
    ("role", "bound"),
    [
        ("player", {"scope": "everything"}),
        ("player", {"scope": "everything", "seat": 1}),
        ("player", {"scope": {"tournament": "spring"}}),
        ("player", {"scope": {"tournament": "spring"}, "seat": 1}),
        ("player", {"scope": {"tournament": "spring"}, "seat": 1, "player": "p1"}),
        ("player", {"scope": TABLE, "player": "p1"}),
        ("player", {"scope": {"game": str(UUID(int=1))}, "player": "p1"}),
        ("recorder", {"scope": {"tournament": "spring"}, "player": "p1"}),
        ("viewer", {"scope": {"game": str(UUID(int=1))}, "seat": 0}),
    ],
)
def test_nobody_but_a_player_is_bound_and_he_in_one_way(service: Service, role: str, bound: dict[str, Any]):
    assert code(service.caller("director").post("/v1/tokens", {"role": role, **bound})) == (422, "malformed_body")


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer"])
def test_nobody_but_a_director_issues(service: Service, role: str):
    assert code(service.caller(role).post("/v1/tokens", {"role": "viewer", "scope": "everything"})) == (403, "forbidden")


def test_a_director_gives_what_lies_in_his_scope_and_learns_of_nothing_beyond_it(service: Service):
    tournament, game = in_a_round(service)
    other, away = in_a_round(service)
    mine = holding(service, grant=Grant(OfTournament(tournament)))
    scopes: list[Any] = [{"tournament": tournament}, {"tournament": tournament, "table": "1"}, {"game": game}]
    assert [mine.post("/v1/tokens", {"role": "director", "scope": one}).status_code for one in scopes] == [201] * 3
    beyond: list[Any] = [
        "everything",
        {"tournament": other},
        {"tournament": other, "table": "1"},
        {"tournament": "unheard of", "table": "1"},
    ]
    for one in [*beyond, {"game": away}, {"game": str(uuid4())}, {"game": service.caller("director").open()}]:
        answer = mine.post("/v1/tokens", {"role": "viewer", "scope": one})
        assert (*code(answer), answer.json()["where"]) == (403, "forbidden", "scope")


def test_a_director_of_a_table_or_a_game_gives_no_more_than_that(service: Service):
    tournament, game = in_a_round(service)
    table = {"tournament": tournament, "table": "1"}
    of_table = holding(service, grant=Grant(OfTable(tournament, "1", 2)))
    of_game = holding(service, grant=Grant(OfGame(UUID(game), tournament, 1, "1")))
    asked: list[Any] = [table, {**table, "since": 2}, {"game": game}, {"tournament": tournament}]
    assert [of_table.post("/v1/tokens", {"role": "viewer", "scope": one}).status_code for one in asked] == [403, 201, 403, 403]
    assert [of_game.post("/v1/tokens", {"role": "viewer", "scope": one}).status_code for one in asked] == [403, 403, 201, 403]


def test_nothing_is_given_for_longer_than_the_director_himself_is_let_in(service: Service):
    mine = holding(service, expires_at=SOON)
    body = {"role": "viewer", "scope": "everything"}
    assert issued(mine)["expires_at"] == SOON
    assert issued(mine, expires_at="2999-01-01T09:00:00Z")["expires_at"] == "2999-01-01T09:00:00.000000Z"
    assert code(mine.post("/v1/tokens", {**body, "expires_at": LATER})) == (403, "forbidden")
    assert issued(service.caller("director"), expires_at=LATER)["expires_at"] == LATER
    assert code(mine.post("/v1/tokens", {**body, "expires_at": "2026-01-01T00:00:00Z"})) == (422, "impossible_time")


def test_who_sees_what_is_public_gives_no_eyes_that_see_more(service: Service):
    mine = holding(service, grant=Grant(sees="public"))
    given = [("recorder", "all"), ("recorder", "public"), ("viewer", "all")]
    answers = [mine.post("/v1/tokens", {"role": role, "scope": "everything", "sees": sees}) for role, sees in given]
    assert [answer.status_code for answer in answers] == [403, 201, 201]


def test_only_a_director_of_everything_gives_a_token_that_acts_as_somebody_else(service: Service):
    director, mine = service.caller("director"), holding(service, grant=Grant(OfTournament("spring")))
    own = mine.get("/v1/me").json()["principal"]
    scope = {"tournament": "spring"}
    assert issued(director, scope=scope, principal="anna")["principal"] == "anna"
    assert issued(mine, scope=scope, principal=own)["principal"] == own
    answer = mine.post("/v1/tokens", {"role": "viewer", "scope": scope, "principal": "anna"})
    assert (*code(answer), answer.json()["where"]) == (403, "forbidden", "principal")


def test_under_the_same_key_one_token_is_issued_and_its_secret_told_once(new_service: Service):
    director, key = new_service.caller("director"), {"Idempotency-Key": "k1"}
    body = {"role": "viewer", "scope": "everything", "label": "hall"}
    first, again = (director.post("/v1/tokens", body, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code, again.headers["idempotent-replayed"]) == (201, 201, "true")
    told = {name: value for name, value in first.json().items() if name != "secret"}
    assert again.json() == {**told, "if_lost": f"/v1/tokens/{told['id']}/rotation"}
    other = director.post("/v1/tokens", {**body, "label": "door"}, headers=key)
    assert code(other) == (422, "key_reused")
    assert [one["label"] for one in director.get("/v1/tokens").json()["items"]].count("hall") == 1


def test_a_key_under_which_a_game_was_opened_issues_no_token(service: Service):
    director, key = service.caller("director"), {"Idempotency-Key": "game"}
    assert director.post("/v1/games", {"ruleset": "casino", "seats": 2}, headers=key).status_code == 201
    assert code(director.post("/v1/tokens", {"role": "viewer", "scope": "everything"}, headers=key)) == (422, "key_reused")


def test_a_key_under_which_a_token_was_issued_opens_no_game(service: Service):
    director, key = service.caller("director"), {"Idempotency-Key": "token"}
    assert director.post("/v1/tokens", {"role": "viewer", "scope": "everything"}, headers=key).status_code == 201
    assert code(director.post("/v1/games", {"ruleset": "casino", "seats": 2}, headers=key)) == (422, "key_reused")
