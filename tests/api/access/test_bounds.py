"""Of tokens, codes and webhooks nobody keeps more than some in force, nor do all together; and their lists have pages."""

from typing import Any

import pytest

from domain.access import BOUNDS, Bound, Given, Grant, OfTournament, check_token_limit
from domain.errors import Refused
from tests.api.access.people import holding
from tests.api.conftest import Caller, Service, link
from tests.api.tournament import announced

ASKED: dict[Given, dict[str, Any]] = {
    "tokens": {"role": "recorder"},
    "codes": {"role": "viewer", "good_for": "screen"},
    "webhooks": {"role": "viewer", "url": "https://club.example/news"},
}


def give(caller: Caller, given: Given, **more: Any) -> Any:
    return caller.post(f"/v1/{given}", {"scope": {"tournament": "bounds"}, **ASKED[given], **more})


def in_scope(service: Service) -> Caller:
    """A director of a tournament of that name, whoever announced it before."""
    if service.caller("director").get("/v1/tournaments/bounds").status_code == 404:
        announced(service.caller("director"), id="bounds")
    return holding(service, grant=Grant(OfTournament("bounds")))


@pytest.mark.parametrize("given", BOUNDS)
def test_one_more_than_a_giver_may_keep_is_refused_until_he_ends_one(service: Service, given: Given, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(BOUNDS, given, Bound(2, 10_000))
    caller = in_scope(service)
    made = [give(caller, given) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 422]
    told = made[2].json()
    assert (told["code"], " 2 " in told["detail"], "of one issuer" in told["detail"]) == (f"too_many_{given}", True, True)
    assert give(holding(service, grant=Grant(OfTournament("bounds"))), given).status_code == 201
    first = made[0].json()
    assert caller.delete(f"/v1/{given}/{first.get('issued', first)['id']}").status_code == 200
    assert give(caller, given).status_code == 201


def test_a_rotation_with_grace_keeps_two_in_force_and_one_without_does_not(service: Service, monkeypatch: pytest.MonkeyPatch):
    caller = in_scope(service)
    token = give(caller, "tokens").json()
    monkeypatch.setitem(BOUNDS, "tokens", Bound(1, 10_000))
    assert caller.post(f"/v1/tokens/{token['id']}/rotation", {"grace": 60}).json()["code"] == "too_many_tokens"
    assert caller.post(f"/v1/tokens/{token['id']}/rotation", {}).status_code == 201


def test_all_together_keep_no_more_than_so_many():
    bound = BOUNDS["webhooks"]
    others = [f"p{number}" for number in range(bound.in_all)]
    check_token_limit("webhooks", "p", others[1:])
    with pytest.raises(Refused, match="too_many_webhooks"):
        check_token_limit("webhooks", "p", others)
    with pytest.raises(Refused, match="too_many_webhooks"):
        check_token_limit("webhooks", "p", ["p"] * bound.each)
    check_token_limit("webhooks", "p", [*["p"] * (bound.each - 1), *others[:100], None])


@pytest.mark.parametrize("given", BOUNDS)
def test_their_lists_have_pages(service: Service, given: Given):
    caller = in_scope(service)
    for _ in range(3):
        assert give(caller, given).status_code == 201
    whole = caller.get(f"/v1/{given}?limit=200").json()
    path, found = f"/v1/{given}?limit=2", []
    while path:
        answer = caller.get(path)
        assert len(answer.json()["items"]) <= 2
        found += answer.json()["items"]
        path = link(answer)
    assert (found, whole["next"]) == (whole["items"], None)
    assert caller.get(f"/v1/{given}?cursor=made-up").json()["code"] == "bad_cursor"


def test_the_list_of_sessions_has_pages(service: Service):
    answer = in_scope(service).get("/v1/sessions?limit=1")
    assert (answer.status_code, answer.json()) == (200, {"items": [], "next": None})
    assert service.caller("director").get("/v1/sessions?limit=201").status_code == 400
