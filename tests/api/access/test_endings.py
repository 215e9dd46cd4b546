"""Tokens that are listed, revoked and rotated: by directors in their scope, and each by who shows it."""

from typing import Any

import pytest

from domain.access import Grant, OfTable, OfTournament
from tests.api.access.people import holding, issued, with_secret
from tests.api.conftest import Caller, Service, link

SPRING, TABLE = {"tournament": "spring"}, {"tournament": "spring", "table": "1", "since": 1}


def of(caller: Caller) -> dict[str, Any]:
    """The caller's own token, as a director of everything is told it."""
    return dict(caller.get("/v1/me").json())


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_director_is_told_the_tokens_that_lie_in_his_scope(new_service: Service):
    director, mine = new_service.caller("director"), holding(new_service, grant=Grant(OfTournament("spring")))
    table, away = issued(director, scope=TABLE), issued(director, scope={"tournament": "autumn"})
    listed = mine.get("/v1/tokens").json()
    assert sorted(one["id"] for one in listed["items"]) == sorted([of(mine)["token"], table["id"]])
    assert listed["next"] is None
    everything = {one["id"]: one for one in director.get("/v1/tokens").json()["items"]}
    assert everything[table["id"]] == {name: value for name, value in table.items() if name != "secret"}
    assert everything[away["id"]]["scope"] == {"tournament": "autumn"}
    assert mine.get(f"/v1/tokens/{table['id']}").json() == everything[table["id"]]
    assert code(mine.get(f"/v1/tokens/{away['id']}")) == (403, "forbidden")


def test_the_list_goes_on_page_by_page(new_service: Service):
    director = new_service.caller("director")
    whole = director.get("/v1/tokens").json()["items"]
    first = director.get("/v1/tokens?limit=3")
    second = director.get(link(first))
    assert first.json()["items"] + second.json()["items"] == whole
    assert (len(first.json()["items"]), second.json()["next"]) == (3, None)
    assert director.get("/v1/tokens?cursor=made-up").json()["code"] == "bad_cursor"


def test_no_list_tells_a_hash_or_a_secret(service: Service):
    director = service.caller("director")
    secret = issued(director)["secret"]
    told = director.get("/v1/tokens?limit=200").text
    assert secret not in told
    assert [one.hash for one in service.services.registers.list_tokens() if one.hash in told] == []


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer"])
def test_tokens_are_for_directors_to_list_and_to_revoke(service: Service, role: str):
    caller, token = service.caller(role), issued(service.caller("director"))["id"]
    answers = [caller.get("/v1/tokens"), caller.delete(f"/v1/tokens/{token}"), caller.post(f"/v1/tokens/{token}/rotation", {})]
    assert list(map(code, answers)) == [(403, "forbidden")] * 3


def test_a_revoked_token_lets_nobody_in(service: Service):
    director = service.caller("director")
    token = issued(director)
    answer = director.delete(f"/v1/tokens/{token['id']}")
    assert (answer.status_code, answer.json()["revoked_at"] is None) == (200, False)
    assert director.delete(f"/v1/tokens/{token['id']}").json() == answer.json()
    assert with_secret(director, token).get("/v1/me").status_code == 401


def test_beyond_his_scope_a_director_ends_nothing_and_learns_of_no_token(service: Service):
    director, mine = service.caller("director"), holding(service, grant=Grant(OfTournament("spring")))
    ids = [issued(director, scope=scope)["id"] for scope in ("everything", {"tournament": "autumn"})] + ["00000000"]
    for method, what in (("DELETE", ""), ("POST", "/rotation")):
        answers = [mine.call(method, f"/v1/tokens/{id}{what}", json={}) for id in ids]
        assert list(map(code, answers)) == [(403, "forbidden")] * 3
        assert len({answer.json()["detail"] for answer in answers}) == 1
        assert code(director.call(method, f"/v1/tokens/00000000{what}", json={})) == (404, "unknown_token")


def test_rotation_gives_a_new_secret_for_the_same_token(new_service: Service):
    director = new_service.caller("director")
    old = issued(director, scope=TABLE, sees="public", label="Table 1", expires_at="2999-01-01T00:00:00Z")
    answer = director.post(f"/v1/tokens/{old['id']}/rotation", {})
    new = answer.json()
    assert answer.status_code == 201
    assert {name for name in old if old[name] != new[name]} - {"issued_at"} == {"id", "secret"}
    assert with_secret(director, old).get("/v1/me").status_code == 401
    assert with_secret(director, new).get("/v1/me").json()["principal"] == old["principal"]
    assert code(director.post(f"/v1/tokens/{old['id']}/rotation", {})) == (422, "token_over")


def test_with_a_grace_the_old_secret_is_good_for_that_long(service: Service):
    director = service.caller("director")
    old = issued(director)
    new = director.post(f"/v1/tokens/{old['id']}/rotation", {"grace": 600}).json()
    assert [with_secret(director, one).get("/v1/me").json()["token"] for one in (old, new)] == [old["id"], new["id"]]
    (listed,) = [one for one in director.get("/v1/tokens?limit=200").json()["items"] if one["id"] == old["id"]]
    assert (listed["expires_at"] is None, new["expires_at"], listed["revoked_at"]) == (False, None, None)
    assert code(director.post(f"/v1/tokens/{old['id']}/rotation", {"grace": 600})) == (422, "token_over")


def test_a_grace_prolongs_nothing(service: Service):
    director, soon = service.caller("director"), "2999-01-01T00:00:00Z"
    old = issued(director, expires_at=soon)
    director.post(f"/v1/tokens/{old['id']}/rotation", {"grace": 60})
    (listed,) = [one for one in director.get("/v1/tokens?limit=200").json()["items"] if one["id"] == old["id"]]
    assert listed["expires_at"] < soon


@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_everybody_rotates_the_token_that_he_shows_and_none_besides(service: Service, role: str):
    director = service.caller("director")
    mine, other = (issued(director, role=role, scope=SPRING, principal="anna") for _ in range(2))
    caller = with_secret(director, mine)
    assert code(caller.post(f"/v1/tokens/{other['id']}/rotation", {})) == (403, "forbidden")
    new = caller.post(f"/v1/tokens/{mine['id']}/rotation", {}).json()
    assert (with_secret(director, new).get("/v1/me").json()["principal"], new["issued_by"]) == ("anna", "anna")


def test_a_director_rotates_no_token_that_he_could_not_issue(service: Service):
    director = service.caller("director")
    public = holding(service, grant=Grant(OfTournament("spring"), "public"))
    ending = holding(service, grant=Grant(OfTournament("spring")), expires_at="2999-01-01T00:00:00Z")
    all_seeing = issued(director, scope=SPRING)["id"]
    assert [code(one.post(f"/v1/tokens/{all_seeing}/rotation", {})) for one in (public, ending)] == [(403, "forbidden")] * 2
    of_table = holding(service, grant=Grant(OfTable("spring", "1", 1)))
    assert code(of_table.post(f"/v1/tokens/{all_seeing}/rotation", {})) == (403, "forbidden")


def test_under_the_same_key_a_token_is_rotated_once(service: Service):
    director, key = service.caller("director"), {"Idempotency-Key": "turn"}
    old = issued(director)["id"]
    first, again = (director.post(f"/v1/tokens/{old}/rotation", {}, headers=key) for _ in range(2))
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    told = {name: value for name, value in first.json().items() if name != "secret"}
    assert again.json() == {**told, "if_lost": f"/v1/tokens/{told['id']}/rotation"}


def test_who_shows_no_token_is_nobody_here(nobody: Caller):
    answers = [nobody.get("/v1/me"), nobody.get("/v1/tokens"), nobody.post("/v1/tokens/00000000/rotation", {})]
    assert [answer.status_code for answer in answers] == [401] * 3
