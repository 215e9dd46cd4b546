"""When a session is over: by hand, with that of which it was made, with its round and its tournament, and unused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deploy.config.settings import Settings
from domain.access import Grant, OfTournament
from tests.api.conftest import Caller, Service, add_token, secret, settings_of
from tests.api.sessions.clock import Time, entering, house, is_in
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.api.web import Browser, browser, code


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path)


@pytest.fixture
def service(settings: Settings, time: Time) -> Iterator[Service]:
    with house(settings, time) as service:
        yield service


def holding(service: Service, name: str, expires_at: str | None = None) -> Caller:
    """A director with a token of his own."""
    return replace(service.caller("director"), token=add_token(service.services, "director", name, expires_at=expires_at))


def given(web: Browser, role: str, scope: object = "everything", **wanted: object) -> Any:
    """What the issue of a code in a browser answers."""
    answer = web.post("/v1/codes", {"role": role, "scope": scope, **wanted})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_revoked_token_ends_its_sessions_within_a_second(service: Service, time: Time):
    web, other = entering(service, secret("recorder")), entering(service, secret("viewer"))
    service.services.registers.revoke_token("t_recorder", "2026-11-21T18:00:00Z")
    time.pass_by(seconds=1)
    assert (is_in(web), is_in(other)) == (False, True)


def test_a_token_that_is_over_ends_its_sessions(service: Service, time: Time):
    web = entering(service, add_token(service.services, "viewer", "short", expires_at="2026-11-21T18:30:00Z"))
    time.pass_by(minutes=29)
    assert is_in(web)
    time.pass_by(minutes=1)
    assert not is_in(web)


def test_a_token_that_is_rotated_with_a_grace_ends_its_sessions_and_codes_with_the_grace(service: Service, time: Time):
    director = holding(service, "turned")
    issued = code(director, good_for="many")["code"]
    webs = [entering(service, director.token or ""), entering(service, issued)]
    id = director.get("/v1/me").json()["token"]
    assert director.post(f"/v1/tokens/{id}/rotation", {"grace": 60}).status_code == 201
    time.pass_by(seconds=59)
    assert list(map(is_in, webs)) == [True, True]
    time.pass_by(seconds=1)
    assert list(map(is_in, webs)) == [False, False]
    assert browser(service).post("/in", {"secret": issued}).status_code == 401


def test_a_code_falls_with_the_token_by_which_it_was_issued_and_its_sessions_within_a_second(service: Service, time: Time):
    director = holding(service, "given away")
    used, unused = code(director, good_for="many"), code(director)
    web, other = entering(service, used["code"]), entering(service, secret("viewer"))
    service.services.registers.revoke_token("t_given away", "2026-11-21T18:00:00Z")
    time.pass_by(seconds=1)
    assert (is_in(web), is_in(other)) == (False, True)
    assert [browser(service).post("/in", {"secret": one["code"]}).status_code for one in (used, unused)] == [401, 401]
    assert service.caller("director").get("/v1/codes").json() == {"items": [], "next": None}


def test_what_a_token_gives_that_expires_ends_with_it_at_the_latest(service: Service, time: Time):
    director = holding(service, "for an hour", expires_at="2026-11-21T19:00:00Z")
    screen, many = code(director), code(director, good_for="many")
    assert [one["issued"]["until_at"] for one in (screen, many)] == ["2026-11-21T18:10:00.000000Z", "2026-11-21T19:00:00.000000Z"]
    webs = [entering(service, one["code"]) for one in (screen, many)]
    assert {one["ends_at"] for one in director.get("/v1/sessions").json()["items"]} == {"2026-11-21T19:00:00.000000Z"}
    time.pass_by(minutes=59, seconds=59)
    assert list(map(is_in, webs)) == [True, True]
    time.pass_by(seconds=1)
    assert list(map(is_in, webs)) == [False, False]
    assert browser(service).post("/in", {"secret": many["code"]}).status_code == 401


def test_what_is_given_in_a_browser_ends_with_the_token_that_signed_it_in_too(service: Service, time: Time):
    first = entering(service, holding(service, "root", expires_at="2026-11-21T19:00:00Z").token or "")
    second = entering(service, given(first, "director")["code"])
    third = entering(service, given(second, "recorder")["code"])
    token = second.post("/v1/tokens", {"role": "viewer", "scope": "everything", "label": ""}).json()
    assert token["expires_at"] == "2026-11-21T19:00:00.000000Z"
    assert first.post("/out", {}).status_code == 200
    assert (is_in(second), is_in(third)) == (True, True), "who goes out leaves the others in"
    service.services.registers.revoke_token("t_root", "2026-11-21T18:00:00Z")
    time.pass_by(seconds=1)
    assert (is_in(second), is_in(third)) == (False, False)


def test_what_a_session_of_a_code_gave_falls_with_that_code(service: Service, time: Time):
    director = service.caller("director")
    root = code(director, "director")
    second = entering(service, root["code"])
    issued = given(second, "director")["code"]
    third = entering(service, issued)
    fourth, unused = entering(service, given(third, "recorder")["code"]), given(third, "viewer")["code"]
    assert director.delete(f"/v1/codes/{root['issued']['id']}").status_code == 200
    time.pass_by(seconds=1)
    assert list(map(is_in, (second, third, fourth))) == [False, False, False]
    assert browser(service).post("/in", {"secret": unused}).status_code == 401
    assert director.get("/v1/codes").json() == {"items": [], "next": None}


def test_what_is_given_by_who_is_in_until_a_round_closes_lasts_no_longer(service: Service):
    director = service.caller("director")
    path = announced(director, format="manual")
    tournament = path.rpartition("/")[2]
    card = entering(service, code(director, "director", {"tournament": tournament}, round=1, good_for="round")["code"])
    assert given(card, "recorder", {"tournament": tournament})["issued"]["until_round"] == 1
    assert given(card, "recorder", {"tournament": tournament}, round=2, good_for="round")["issued"]["until_round"] == 1


def test_a_code_that_is_taken_back_ends_its_sessions(service: Service, time: Time):
    director = service.caller("director")
    issued = code(director, "viewer", good_for="many")
    web = entering(service, issued["code"])
    assert director.delete(f"/v1/codes/{issued['issued']['id']}").status_code == 200
    time.pass_by(seconds=1)
    assert not is_in(web)
    assert browser(service).post("/in", {"secret": issued["code"]}).status_code == 401


def test_a_director_ends_a_session_at_once(service: Service):
    web = entering(service, secret("recorder"))
    (session,) = [one["id"] for one in web.get("/v1/sessions").json()["items"]]
    assert service.caller("director").delete(f"/v1/sessions/{session}").json() == {"id": session}
    assert not is_in(web)


def test_a_code_on_a_screen_is_over_after_ten_minutes_and_its_session_is_not(service: Service, time: Time):
    director = service.caller("director")
    first, second = (code(director, "recorder")["code"] for _ in range(2))
    time.pass_by(minutes=9, seconds=59)
    web = entering(service, first)
    time.pass_by(seconds=1)
    assert browser(service).post("/in", {"secret": second}).status_code == 401
    assert is_in(web)


@pytest.mark.parametrize("role", ["director", "recorder", "arbiter", "committee"])
def test_after_twelve_hours_unused_a_session_is_over_that_sees_hidden_cards(service: Service, time: Time, role: str):
    web = entering(service, secret(role))
    for _ in range(3):
        time.pass_by(hours=11, minutes=50)  # the last use is known to five minutes
        assert is_in(web)
    time.pass_by(hours=12)
    assert not is_in(web)


def test_a_viewers_session_is_over_after_thirty_days(service: Service, time: Time):
    web = entering(service, secret("viewer"))
    time.pass_by(days=29, hours=23)
    assert is_in(web)
    time.pass_by(hours=1)
    assert not is_in(web)


def test_after_thirty_days_every_session_is_over_however_much_it_is_used(service: Service, time: Time):
    web = entering(service, secret("recorder"))
    for _ in range(30 * 4 - 1):
        time.pass_by(hours=6)
        assert is_in(web)
    time.pass_by(hours=6)
    assert not is_in(web)


def test_a_seating_card_lets_in_until_the_round_closes_and_its_session_goes_with_it(service: Service, time: Time):
    director = service.caller("director")
    path = announced(director, format="manual")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    table = {"tournament": path.rpartition("/")[2], "table": "1", "since": 1}
    used, unused = (code(director, "recorder", table, good_for="round") for _ in range(2))
    assert used["issued"]["until_round"] == 1
    card, other = entering(service, used["code"]), entering(service, code(director, "recorder", table)["code"])
    scored(director, opened(director, path)["1"], 3, 1)
    assert is_in(card)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    time.pass_by(seconds=1)
    assert (is_in(card), is_in(other)) == (False, True)
    assert browser(service).post("/in", {"secret": unused["code"]}).status_code == 401
    assert director.get("/v1/codes").json() == {"items": [], "next": None}
    late = director.post("/v1/codes", {"role": "recorder", "scope": table, "good_for": "round"})
    assert (late.status_code, late.json()["where"]) == (422, "round")


@pytest.mark.parametrize("good_for", ["screen", "many", "tournament"])
def test_a_session_that_a_code_made_goes_a_day_after_its_tournament_and_one_of_a_token_with_the_token(
    service: Service, time: Time, good_for: str
):
    director = service.caller("director")
    path = announced(director)
    scope = {"tournament": path.rpartition("/")[2]}
    by_code = entering(service, code(director, "viewer", scope, good_for=good_for)["code"])
    by_token = entering(service, add_token(service.services, "director", "of it", Grant(OfTournament(scope["tournament"]))))
    assert director.post(f"{path}/ending", {"how": "cancelled"}).status_code == 201
    time.pass_by(hours=11)
    assert (is_in(by_code), is_in(by_token)) == (True, True)
    late = entering(service, code(director, "viewer", scope, good_for=good_for)["code"])
    time.pass_by(hours=11)
    assert (is_in(late), is_in(by_token)) == (True, True)
    time.pass_by(hours=2)
    assert [is_in(web) for web in (by_code, late, by_token)] == [False, False, True]
    assert director.post("/v1/codes", {"role": "viewer", "scope": scope, "good_for": good_for}).json()["code"] == "tournament_ended"
    assert director.get("/v1/codes").json() == {"items": [], "next": None}


@pytest.mark.parametrize("good_for", ["many", "tournament"])
def test_codes_and_sessions_that_ended_with_their_tournament_are_good_again_once_it_is_reopened(
    service: Service, time: Time, good_for: str
):
    director = service.caller("director")
    path = announced(director)
    issued = code(director, "viewer", {"tournament": path.rpartition("/")[2]}, good_for=good_for)["code"]
    web = entering(service, issued)
    assert director.post(f"{path}/ending", {"how": "cancelled"}).status_code == 201
    time.pass_by(hours=25)
    assert (is_in(web), browser(service).post("/in", {"secret": issued}).status_code) == (False, 401)
    assert director.post(f"{path}/reopening", {"reason": "another hall was found"}).status_code == 201
    time.pass_by(seconds=1)
    assert (is_in(web), is_in(entering(service, issued))) == (True, True)


def test_a_session_outlives_a_restart(settings: Settings, time: Time):
    with house(settings, time) as service:
        web = entering(service, secret("recorder"))
    with house(settings, time) as service:
        assert is_in(replace(web, caller=service.caller(None)))


def test_two_processes_know_the_same_sessions(migrated: str, time: Time, tmp_path: Path):
    one, other = (settings_of(tmp_path / name, migrated) for name in ("one", "other"))
    with house(one, time) as here, house(other, time) as there:
        web = entering(here, secret("recorder"))
        elsewhere = replace(web, caller=there.caller(None))
        assert is_in(elsewhere)
        issued = code(here.caller("director"))["code"]
        assert browser(there).post("/in", {"secret": issued}).status_code == 200
        assert browser(here).post("/in", {"secret": issued}).status_code == 401
        assert elsewhere.post("/out", {}).json() == {"ended": True}
        time.pass_by(seconds=1)
        assert not is_in(web)


def test_what_a_recorder_hands_over_ends_with_the_card_also_where_it_was_handed_on(service: Service, time: Time):
    director = entering(service, secret("director"))
    card, game = given(director, "recorder"), service.caller("director").open()
    first = entering(service, card["code"])
    second = entering(service, first.post(f"/v1/games/{game}/handover").json()["code"])
    third, waiting = (second.post(f"/v1/games/{game}/handover").json()["code"] for _ in range(2))
    last = entering(service, third)
    assert director.delete(f"/v1/codes/{card['issued']['id']}").status_code == 200
    time.pass_by(seconds=1)
    assert [is_in(one) for one in (first, second, last)] == [False, False, False]
    assert browser(service).post("/in", {"secret": waiting}).status_code == 401
