"""The first page: what is played now, and what waits for who is signed in."""

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.tournament import announced, entered, opened, paired

PAGE = {"Accept": "text/html"}


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def front(caller: Caller) -> str:
    answer = caller.get("/", headers=PAGE)
    assert answer.status_code == 200
    return str(answer.text)


def test_each_role_is_told_what_is_his_to_do(service: Service):
    said = {role: words(front(service.caller(role))) for role in ("director", "recorder", "arbiter", "committee", "viewer")}
    assert "You direct." in said["director"]
    assert "You record." in said["recorder"]
    assert "You rule." in said["arbiter"]
    assert "You decide on appeals." in said["committee"]
    assert "You look on." in said["viewer"]


def test_a_dispute_that_waits_stands_first_and_leads_to_its_hand(service: Service, director: Caller):
    game = director.open()
    director.deal(game)
    claim = {"position": 2, "seat": 1, "claim": "The deal was wrong.", "suspends": True}
    assert director.post(f"/v1/games/{game}/disputes", claim).status_code == 201
    assert f'href="/g/{game}#p2"' in front(service.caller("arbiter"))


def test_who_shows_nothing_is_told_of_published_tournaments_and_their_tables_only(service: Service, director: Caller, recorder: Caller):
    path = announced(director, title="Open night", seed="front")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(recorder, path)["1"]
    nobody = service.caller(None)
    assert game not in front(nobody)
    assert "Open night" not in front(nobody)
    assert director.post(f"{path}/publication", {"publication": "aliases"}).status_code == 201
    assert game in front(nobody)
    assert "Open night" in front(nobody)


def test_it_is_a_page_for_browsers_and_a_start_for_programs(service: Service):
    assert service.caller(None).get("/").json()["name"] == "Kiebitz"


def test_players_and_tournaments_are_called_by_their_names(service: Service, director: Caller, recorder: Caller):
    path = announced(director, title="Open night", seed="names")
    assert director.post("/v1/players", {"id": "ada", "name": "Ada Lovelace", "club": None}).status_code == 201
    assert director.post(f"{path}/entries", {"players": ["ada"]}).status_code == 201
    assert director.post(f"{path}/entries", {"players": ["ben"]}).status_code == 201
    paired(director, path, [[1], [2]])
    opened(recorder, path)
    text = words(front(director))
    assert "Ada Lovelace" in text
    assert "Open night, Table 1" in text


def test_who_is_led_astray_is_told_what_may_be_the_matter(service: Service):
    answer = service.caller("viewer").get("/g/0190b3a0-0000-7000-8000-000000000000", headers=PAGE)
    assert answer.status_code == 404
    assert "The address may be misspelt" in words(answer.text)


def test_an_empty_house_shows_its_director_three_steps_that_go_as_they_are_done(new_service: Service):
    director = new_service.caller("director")
    assert [step in front(director) for step in ("First steps", "/new?what=game", "/in and types a code", "/new?what=tournament")] == [
        True
    ] * 4
    assert "First steps" not in front(new_service.caller("recorder"))
    game = director.open()
    assert f'href="/g/{game}/devices"' in front(director)
    announced(director, title="Open night", seed="steps")
    assert "First steps" not in front(director)
