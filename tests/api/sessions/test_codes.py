"""Codes by which a director lets others in: within his scope, and with no more than he has."""

import asyncio
import json
import re
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from domain.access import EVERYTHING, Grant, OfTable, OfTournament, Scope
from tests.api.conftest import BODY, Caller, Service, add_token, app_of
from tests.api.tournament import announced, entered, opened, paired
from tests.api.web import OURS, browser, code

_NUMBERS = count()


def holding(service: Service, scope: Scope, role: str = "director", **more: Any) -> Caller:
    token = add_token(service.services, role, f"codes {next(_NUMBERS)}", Grant(scope, **more))
    return replace(service.caller(role), token=token)


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def spring(director: Caller) -> str:
    """The id of a tournament of one table that plays."""
    path = announced(director, format="manual")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    return path.rpartition("/")[2]


def test_a_code_is_told_once_with_its_address_and_a_qr_of_it(director: Caller):
    issued = code(director, "recorder", label="Table 3")
    assert re.fullmatch("[2-9A-HJKMNP-Z]{8}", issued["code"])
    assert issued["address"] == f"http://testserver.local/in#{issued['code']}"
    assert issued["qr"].startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert issued["code"] not in director.get("/v1/codes").text
    assert [one for one in director.get("/v1/codes").json()["items"] if one["id"] == issued["issued"]["id"]] == [issued["issued"]]


def test_it_lets_in_with_what_it_was_issued_for(service: Service, director: Caller, spring: str):
    game = opened(director, f"/v1/tournaments/{spring}")["1"]
    played = {"game": game, "tournament": spring, "round": 1, "table": "1"}
    asked: dict[str, tuple[Any, Any]] = {
        "a tournament": ({"tournament": spring}, {"tournament": spring}),
        "a table": ({"tournament": spring, "table": "1", "since": 1}, {"tournament": spring, "table": "1", "since": 1}),
        "a table from now on": ({"tournament": spring, "table": "1"}, {"tournament": spring, "table": "1", "since": 1}),
        "a game": ({"game": game}, played),
        "everything": ("everything", "everything"),
    }
    for scope, told in asked.values():
        for sees in ("all", "public"):
            issued = code(director, "recorder", scope, sees=sees)["code"]
            assert browser(service).enter(issued).json()["grant"] == {"scope": told, "sees": sees}
    for scope, bound in (({"game": game}, {"seat": 1}), ({"tournament": spring}, {"player": "p1"})):
        grant = browser(service).enter(code(director, "player", scope, **bound)["code"]).json()["grant"]
        assert grant == {"scope": played if "game" in scope else scope, "sees": "all", **bound}


def test_a_session_of_a_table_records_there_and_nowhere_else(service: Service, director: Caller, spring: str):
    game = opened(director, f"/v1/tournaments/{spring}")["1"]
    web = browser(service)
    web.enter(code(director, "recorder", {"tournament": spring, "table": "1", "since": 1})["code"])
    assert web.post(f"/v1/games/{game}/hands", {"dealer": 0}).status_code == 201
    assert web.post(f"/v1/games/{director.open()}/hands", {"dealer": 0}).status_code == 403


BEYOND = [OfTournament("autumn"), OfTable("spring", "2", 1), OfTable("spring", "1", 2)]


@pytest.mark.parametrize("scope", BEYOND, ids=str)
def test_nobody_gives_a_larger_scope_than_he_has(service: Service, scope: Scope):
    director = holding(service, scope)
    for asked in ("everything", {"tournament": "spring"}, {"tournament": "spring", "table": "1", "since": 1}):
        assert director.post("/v1/codes", {"role": "viewer", "scope": asked}).status_code == 403


def test_who_sees_only_what_the_public_sees_gives_no_more(service: Service):
    director = holding(service, EVERYTHING, sees="public")
    assert director.post("/v1/codes", {"role": "recorder", "scope": "everything"}).status_code == 403
    assert director.post("/v1/codes", {"role": "recorder", "scope": "everything", "sees": "public"}).status_code == 201


@pytest.mark.parametrize("role", ["recorder", "arbiter", "committee", "viewer"])
def test_only_directors_issue_codes_and_others_are_told_of_none(service: Service, director: Caller, role: str):
    issued = code(director)
    caller = service.caller(role)
    assert caller.post("/v1/codes", {"role": "viewer", "scope": "everything"}).status_code == 403
    assert caller.delete(f"/v1/codes/{issued['issued']['id']}").status_code == 403
    assert caller.get("/v1/codes").json() == {"items": [], "next": None}


_GAME = "378ea8fa-a190-4d45-b974-6e2de61fd91f"
WRONG: dict[str, tuple[dict[str, object], str]] = {
    "a table of no tournament": ({"role": "recorder", "scope": {"table": "1", "since": 1}}, "scope"),
    "a game of a tournament": ({"role": "viewer", "scope": {"tournament": "spring", "game": _GAME}}, "scope"),
    "nowhere": ({"role": "viewer", "scope": {}}, "scope"),
    "a player who is nobody": ({"role": "player", "scope": {"tournament": "spring"}}, "role"),
    "a player of everything": ({"role": "player", "scope": "everything"}, "role"),
    "a seat of a tournament": ({"role": "player", "scope": {"tournament": "spring"}, "seat": 1}, "role"),
    "a recorder with a seat": ({"role": "recorder", "scope": {"game": _GAME}, "seat": 1}, "seat"),
    "recorders by the dozen": ({"role": "recorder", "scope": "everything", "good_for": "many"}, "good_for"),
    "a round of no tournament": ({"role": "viewer", "scope": "everything", "good_for": "round", "round": 1}, "round"),
    "until which round is open": ({"role": "viewer", "scope": "everything", "good_for": "round"}, "round"),
    "a round that ends nothing": ({"role": "viewer", "scope": "everything", "round": 1}, "round"),
}


@pytest.mark.parametrize(("body", "where"), WRONG.values(), ids=WRONG)
def test_what_no_code_can_be_for_is_refused(director: Caller, body: dict[str, object], where: str):
    refused = director.post("/v1/codes", body)
    assert (refused.status_code, refused.json()["where"]) == (422, where)


def test_of_a_tournament_or_a_game_that_is_not_there_none_is_issued(director: Caller):
    for scope in ({"tournament": "no such"}, {"tournament": "no such", "table": "1", "since": 1}, {"game": _GAME}):
        assert director.post("/v1/codes", {"role": "viewer", "scope": scope}).status_code == 404


def test_directors_are_told_of_and_end_what_lies_in_their_scope(service: Service, director: Caller, spring: str):
    inside, outside = code(director, "viewer", {"tournament": spring}, good_for="many"), code(director, "viewer", good_for="many")
    webs = [browser(service) for _ in range(2)]
    for web, issued in zip(webs, (inside, outside), strict=True):
        web.enter(issued["code"])
    ids = [web.get("/v1/sessions").json()["items"][0]["id"] for web in webs]
    local = holding(service, OfTournament(spring))
    assert [one["id"] for one in local.get("/v1/codes").json()["items"]] == [inside["issued"]["id"]]
    assert [one["id"] for one in local.get("/v1/sessions").json()["items"]] == [ids[0]]
    assert local.delete(f"/v1/sessions/{ids[1]}").status_code == 403
    assert local.delete("/v1/sessions/none").status_code == 403, "whether there is one is not told"
    assert local.delete(f"/v1/codes/{outside['issued']['id']}").status_code == 403
    assert webs[0].delete(f"/v1/sessions/{ids[1]}").status_code == 403
    assert webs[1].delete(f"/v1/sessions/{ids[1]}").status_code == 200, "oneself always"
    assert local.delete(f"/v1/sessions/{ids[0]}").status_code == 200
    assert local.delete(f"/v1/codes/{inside['issued']['id']}").status_code == 200
    for path in ("/v1/sessions/none", "/v1/codes/none"):
        assert director.delete(path).status_code == 404


def test_of_twenty_who_show_one_code_at_once_one_comes_in(service: Service):
    """All twenty are under way together: none is answered before the last one has asked."""
    issued = code(service.caller("director"), "recorder")["code"]
    under_way = most = 0
    everybody = asyncio.Event()

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == 20:
            everybody.set()
        await everybody.wait()
        await app(scope, receive, send)
        under_way -= 1

    async def crowd() -> list[int]:
        async with AsyncClient(transport=ASGITransport(counted), base_url="http://testserver.local", headers=BODY | OURS) as client:
            asked = [client.post("/in", content=json.dumps({"secret": issued})) for _ in range(20)]
            return sorted([answer.status_code for answer in await asyncio.gather(*asked)])

    with app_of(service.services) as app:
        assert asyncio.run(crowd()) == [200] + [401] * 19
    assert most == 20
