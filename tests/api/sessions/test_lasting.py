"""Codes for a whole tournament: who gets one, how many devices it opens, until when it is good, and where a table's code records."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from httpx import ASGITransport, AsyncClient

from api.http.paging import Counts
from api.http.request import Role, part_of
from api.sessions.entering import DEVICES
from tests.api.conftest import BODY, Caller, Service, app_of, secret, settings_of
from tests.api.sessions.clock import Time, entering, house, is_in
from tests.api.tournament import announced, entered, opened, paired
from tests.api.web import OURS, Browser, browser, code


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def service(tmp_path: Path, time: Time) -> Iterator[Service]:
    with house(settings_of(tmp_path), time) as service:
        yield service


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def path(director: Caller) -> str:
    """The address of a tournament with two players, of which nothing is paired."""
    found = announced(director, format="manual")
    entered(director, found, 2)
    return found


def lasting(director: Caller, path: str, role: str, **more: Any) -> Any:
    scope = {"tournament": path.rpartition("/")[2], **({"table": more.pop("table")} if "table" in more else {})}
    bound = {"player": "p1"} if role == "player" else {}
    return code(director, role, scope, good_for="tournament", **bound, **more)


def refused(service: Service, shown: str) -> Any:
    answer = browser(service).post("/in", {"secret": shown})
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("role", get_args(Role))
def test_a_lasting_code_opens_as_many_devices_as_the_table_says(service: Service, director: Caller, path: str, role: Role):
    wanted = {"role": role, "scope": {"tournament": path.rpartition("/")[2]}, "good_for": "tournament"}
    if role not in DEVICES:
        answer = director.post("/v1/codes", wanted)
        assert (answer.status_code, answer.json()["where"]) == (422, "good_for")
        return
    issued, devices = lasting(director, path, role), DEVICES[role]
    for _ in range(devices or 5):
        entering(service, issued["code"])
    assert (issued["issued"].get("devices"), issued["issued"]["lasting"]) == (devices, True)
    (listed,) = director.get("/v1/codes").json()["items"]
    assert (listed["id"], listed["used"]) == (issued["issued"]["id"], devices or 5)
    if devices is not None:
        assert refused(service, issued["code"]) == (422, "code_full")
        assert dict(part_of(service.client.app, Counts).sign_ins) == {"made": devices, "refused": 1}


def test_the_page_for_directors_says_how_many_devices_each_role_has():
    page = Path("docs/access.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| (\w+) \| (\d+|any number|none)\b", page, re.MULTILINE))
    assert told == {role: str(DEVICES[role] or "any number") if role in DEVICES else "none" for role in get_args(Role)}


def test_a_device_more_is_told_what_to_do_and_a_session_that_ends_leaves_its_place(service: Service, director: Caller, path: str):
    issued = lasting(director, path, "player")["code"]
    webs = [entering(service, issued) for _ in range(3)]
    fourth = browser(service)
    said = fourth.post("/in", {"secret": issued}).json()["detail"]
    assert said == (
        "3 devices are signed in with this code, and it is for no more. Sign out on one of them, or ask the director to end one."
    )
    assert fourth.submit("/in", secret=issued, next="/me").headers["location"] == "/in?refused=full&next=%2Fme"
    assert "All devices of this code are signed in." in fourth.get("/in?refused=full").text
    assert webs[0].post("/out", {}).status_code == 200
    fourth.enter(issued)
    second = next(one for one in director.get("/v1/sessions").json()["items"] if one.get("device") == 2)
    assert director.delete(f"/v1/sessions/{second['id']}").status_code == 200
    entering(service, issued)
    assert [is_in(web) for web in (*webs, fourth)] == [False, False, True, True]
    assert sorted(one["device"] for one in director.get("/v1/sessions").json()["items"] if "device" in one) == [1, 2, 3]


def test_a_browser_that_is_a_device_of_the_code_takes_no_second_place(service: Service, director: Caller, path: str):
    issued = lasting(director, path, "player")["code"]
    webs = [entering(service, issued) for _ in range(3)]
    before = dict(webs[1].cookies)
    webs[1].enter(issued)
    assert webs[1].cookies == before
    assert [is_in(web) for web in webs] == [True, True, True]
    webs[1].enter(code(director, "viewer")["code"])
    entering(service, issued)


def test_of_twenty_who_show_a_lasting_code_at_once_as_many_come_in_as_it_has_devices(service: Service):
    director = service.caller("director")
    path = announced(director, format="manual")
    entered(director, path, 2)
    issued = lasting(director, path, "player")["code"]
    here, everybody = 0, asyncio.Event()

    async def together(scope: Any, receive: Any, send: Any) -> None:
        nonlocal here
        here += 1
        if here == 20:
            everybody.set()
        await everybody.wait()
        await app(scope, receive, send)

    async def crowd() -> list[int]:
        async with AsyncClient(transport=ASGITransport(together), base_url="http://testserver.local", headers=BODY | OURS) as client:
            asked = [client.post("/in", content=json.dumps({"secret": issued})) for _ in range(20)]
            return sorted([answer.status_code for answer in await asyncio.gather(*asked)])

    with app_of(service.services) as app:
        assert asyncio.run(crowd()) == [200] * 3 + [422] * 17


def test_a_league_of_ten_days_signs_nobody_out_who_has_a_lasting_code(service: Service, time: Time, director: Caller, path: str):
    paired(director, path, [[1], [2]])
    webs = {role: entering(service, lasting(director, path, role)["code"]) for role in ("player", "arbiter", "committee", "viewer")}
    webs["tablet"] = entering(service, lasting(director, path, "recorder", table="1")["code"])
    by_token = entering(service, secret("arbiter"))
    time.pass_by(days=9)
    assert {name for name, web in webs.items() if is_in(web)} == set(webs)
    assert not is_in(by_token)


def test_fourteen_days_after_its_last_round_a_tournament_that_nobody_ended_lets_nobody_in(
    service: Service, time: Time, director: Caller, path: str
):
    issued = lasting(director, path, "player")["code"]
    time.pass_by(days=20)
    web = entering(service, issued)
    paired(director, path, [[1], [2]])
    time.pass_by(days=13, hours=23)
    assert is_in(web)
    time.pass_by(hours=1)
    assert not is_in(web)
    assert refused(service, issued) == (401, "unauthenticated")
    tournament = {"tournament": path.rpartition("/")[2]}
    late = director.post("/v1/codes", {"role": "viewer", "scope": tournament, "good_for": "tournament"})
    assert (late.status_code, late.json()["code"]) == (422, "last_round_long_ago")
    assert code(director, "viewer", tournament), "for ten minutes"
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [21, 9]}).status_code == 201
    assert not is_in(web)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    time.pass_by(seconds=1)
    assert is_in(web), "it plays on"


WRONG: Mapping[str, dict[str, Any]] = {
    "everywhere": {"role": "viewer", "scope": "everything"},
    "a game": {"role": "player", "seat": 0},
    "a director": {"role": "director"},
}


@pytest.mark.parametrize("wanted", WRONG.values(), ids=WRONG)
def test_what_is_no_tournament_or_for_a_director_has_no_lasting_code(director: Caller, path: str, wanted: dict[str, Any]):
    scope = {"game": director.open()} if "seat" in wanted else {"tournament": path.rpartition("/")[2]}
    answer = director.post("/v1/codes", {"scope": scope, "good_for": "tournament", **wanted})
    assert (answer.status_code, answer.json()["where"]) == (422, "good_for")


def test_what_a_lasting_code_gives_falls_with_what_its_giver_has(service: Service, time: Time, director: Caller, path: str):
    giver = code(director, "director", {"tournament": path.rpartition("/")[2]})
    desk: Browser = entering(service, giver["code"])
    scope = {"tournament": path.rpartition("/")[2]}
    issued = desk.post("/v1/codes", {"role": "arbiter", "scope": scope, "good_for": "tournament"}).json()["code"]
    web = entering(service, issued)
    assert director.delete(f"/v1/codes/{giver['issued']['id']}").status_code == 200
    time.pass_by(seconds=1)
    assert not is_in(web)
    assert refused(service, issued) == (401, "unauthenticated")


NOT_IN_PLAY = "This code is for table 1 in the round in play. Round 1 is not in play and can only be read."


def test_a_tables_code_records_in_the_round_in_play_alone(service: Service, director: Caller, path: str):
    issued = lasting(director, path, "recorder", table="1")
    assert issued["issued"]["grant"]["scope"] == {"tournament": path.rpartition("/")[2], "table": "1", "since": 1, "in_play": True}
    tablet = entering(service, issued["code"])
    paired(director, path, [[1], [2]])
    first = opened(director, path)["1"]
    assert tablet.post(f"/v1/games/{first}/hands", {"dealer": 0}).status_code == 201
    assert "hand" in tablet.get(f"/v1/games/{first}/table").text
    assert tablet.put(f"{path}/rounds/1/tables/1/result", {"points": [21, 9], "side": 1}).status_code == 201
    assert tablet.post(f"{path}/rounds/1/tables/1/confirmation", {"side": 2}).status_code == 201
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    for send, target, body in (
        (tablet.post, f"/v1/games/{first}/notes", {"text": "x"}),
        (tablet.put, f"{path}/rounds/1/tables/1/result", {"points": [9, 21], "side": 1}),
    ):
        answer = send(target, body)
        assert (answer.status_code, answer.json()["detail"][: len(NOT_IN_PLAY)]) == (403, NOT_IN_PLAY)
    with_others = {"ruleset": "casino", "seats": 2, "tournament": path.rpartition("/")[2], "round": 1, "table": "1"}
    assert tablet.post("/v1/games", with_others).status_code == 403
    paired(director, path, [[2], [1]])
    second = opened(director, path, 2)["1"]
    assert tablet.post(f"/v1/games/{second}/hands", {"dealer": 0}).status_code == 201
    assert tablet.post(f"/v1/games/{first}/notes", {"text": "x"}).status_code == 403
