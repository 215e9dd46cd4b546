"""What the screens in the hall show: a register that a director writes and every reader of the tournament follows."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.access import Grant, OfTournament
from domain.tournament.publication import Wall, WallPlan
from tests.api.conftest import BODY, Caller, Service, add_token, running, settings_of, without_limits
from tests.api.tournament import announced

SOUP = {"show": "notice", "message": "Soup is ready."}
BREAK = {"counts": "break", "until": "2026-11-21T22:15:00+01:00", "phases": [{"counts": "round", "seconds": 2400}]}


@pytest.fixture
def hall(director: Caller) -> str:
    return f"{announced(director)}/wall"


def put(caller: Caller, hall: str, body: object, **headers: str) -> Any:
    return caller.call("PUT", hall, json=body, headers={**BODY, **{name.replace("_", "-"): value for name, value in headers.items()}})


def test_before_anybody_has_chosen_what_is_on_is_shown(viewer: Caller, hall: str):
    assert viewer.get(hall).json() == {
        "tournament": hall.split("/")[3],
        "version": 0,
        "show": "current",
        "by": None,
        "round": None,
        "message": None,
        "clock": None,
        "turn": None,
        "hidden": None,
        "changed_at": None,
    }


def test_what_a_director_chooses_everybody_reads_and_officials_read_who_chose_it(director: Caller, viewer: Caller, hall: str):
    body = {"show": "pairings", "by": "table", "round": 2, "message": "Welcome", "clock": BREAK, "turn": 8, "hidden": 5}
    chosen = put(director, hall, body)
    assert chosen.status_code == 200, chosen.text
    told = chosen.json()
    assert told == {
        **body,
        "tournament": hall.split("/")[3],
        "version": 1,
        "clock": {**BREAK, "until": "2026-11-21T21:15:00.000000Z", "left": None},
        "changed_at": told["changed_at"],
        "changed_by": "p_director",
    }
    assert director.get(hall).json() == told
    told.pop("changed_by")
    assert viewer.get(hall).json() == told


def test_what_is_left_out_is_not_on_the_wall_any_more(director: Caller, hall: str):
    put(director, hall, {**SOUP, "clock": {"counts": "round", "left": 90}})
    after = put(director, hall, {"show": "standings"}).json()
    assert [after[name] for name in ("version", "show", "message", "clock")] == [2, "standings", None, None]


def test_nothing_of_it_is_recorded(service: Service, director: Caller, hall: str):
    before = service.services.journal.head()
    put(director, hall, SOUP)
    assert service.services.journal.head() == before


def test_only_a_director_of_the_tournament_chooses(service: Service, director: Caller, hall: str):
    for role in ("recorder", "arbiter", "committee", "viewer"):
        assert put(service.caller(role), hall, SOUP).status_code == 403
    assert put(service.caller(None), hall, SOUP).status_code == 401
    for tournament, status in ((hall.split("/")[3], 200), ("elsewhere", 403)):
        own = replace(director, token=add_token(service.services, "director", f"of {tournament}", Grant(OfTournament(tournament))))
        assert put(own, hall, SOUP).status_code == status


def test_of_two_directors_the_one_who_decided_on_an_older_wall_is_told_so(director: Caller, hall: str):
    held = put(director, hall, SOUP).headers["etag"]
    assert put(director, hall, {"show": "tables"}, If_Match=held).json()["version"] == 2
    late = put(director, hall, {"show": "standings"}, If_Match=held)
    assert (late.status_code, late.json()["code"], late.json()["position"], late.json()["missed"]) == (412, "stale_position", 2, [])
    assert director.get(hall).json()["show"] == "tables"
    assert put(director, hall, {"show": "standings"}, If_Match="*").json()["version"] == 3


def test_it_is_asked_again_with_its_tag(director: Caller, hall: str):
    tag = put(director, hall, SOUP).headers["etag"]
    assert director.get(hall, headers={"If-None-Match": tag}).status_code == 304
    put(director, hall, {"show": "tables"})
    assert director.get(hall, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "show"),
        ({"show": "cats"}, "show"),
        ({"show": "notice"}, "message"),
        ({"show": "clock"}, "clock"),
        ({"show": "clock", "clock": {"counts": "round"}}, "clock"),
        ({"show": "clock", "clock": {**BREAK, "left": 3}}, "clock"),
        ({"show": "tables", "turn": 1}, "turn"),
        ({"show": "tables", "round": 0}, "round"),
        ({"show": "notice", "message": "x" * 501}, "message"),
        ({"show": "tables", "colour": "red"}, "colour"),
    ],
)
def test_what_no_wall_can_show_is_refused(director: Caller, hall: str, body: dict[str, Any], where: str):
    answer = put(director, hall, body)
    assert (answer.status_code, director.get(hall).json()["version"]) == (422, 0)
    assert where in answer.text


def test_a_tournament_that_was_never_announced_has_no_wall(director: Caller):
    for answer in (director.get("/v1/tournaments/none/wall"), put(director, "/v1/tournaments/none/wall", SOUP)):
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_tournament")


def test_who_waits_is_told_as_soon_as_something_else_is_chosen(new_service: Service):
    director, viewer = new_service.caller("director"), new_service.caller("viewer")
    hall = f"{announced(director)}/wall"
    assert viewer.get(f"{hall}?after=3&wait=30").json()["version"] == 0
    assert viewer.get(f"{hall}?after=0&wait=1").json()["version"] == 0
    with ThreadPoolExecutor() as threads:
        waiting = [threads.submit(viewer.get, f"{hall}?after=0&wait=30") for _ in range(3)]
        put(director, hall, SOUP)
        assert [each.result().json()["message"] for each in waiting] == ["Soup is ready."] * 3


def test_who_waits_is_told_what_another_process_chose(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    hall = f"{announced(director)}/wall"
    registers = service.services.registers
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(viewer.get, f"{hall}?after=0&wait=30")
        assert registers.change_wall(hall.split("/")[3], Wall(1, WallPlan("tables"), None, "2026-11-21T20:00:00.000000Z", "p_other"))
        assert waiting.result().json()["version"] == 1


def test_its_stream_tells_the_version_that_stands_and_none_that_is_known(director: Caller, viewer: Caller, hall: str):
    put(director, hall, SOUP)
    for caller in (director, viewer):
        told = caller.get(f"{hall}/stream").text
        assert told.split("\n\n")[1] == f"retry: 2000\nid: 1\ndata: {caller.get(hall).text}"
    for asked in ({"headers": {"Last-Event-ID": "1"}}, {"params": {"after": 1, "follow": "false"}}):
        assert "id:" not in viewer.get(f"{hall}/stream", **asked).text
    put(director, hall, {"show": "tables"})
    assert "id: 2\n" in viewer.get(f"{hall}/stream", headers={"Last-Event-ID": "1"}).text


def test_who_is_shut_out_waits_no_longer(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        hall = f"{announced(director)}/wall"
        issued = director.post("/v1/tokens", {"role": "viewer", "scope": "everything", "label": "screen"}).json()
        screen = replace(director, token=issued["secret"])
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(screen.get, f"{hall}?after=0&wait=30")
            assert director.delete(f"/v1/tokens/{issued['id']}").status_code in (200, 201)
            assert waiting.result().status_code == 401


def test_what_is_published_is_on_the_wall_for_everybody(director: Caller, nobody: Caller, hall: str):
    put(director, hall, SOUP)
    assert nobody.get(hall).status_code == 401
    assert director.post(hall.replace("/wall", "/publication"), {"publication": "aliases"}).status_code == 201
    assert nobody.get(hall).json()["message"] == "Soup is ready."
