"""The desk's list of codes and devices: how many each code has open, which device is which, and until when a code is good."""

import re

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.tournament import announced, entered, paired
from tests.api.web import browser, code


@pytest.fixture
def tournament(director: Caller) -> str:
    path = announced(director, format="manual")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    return path.rpartition("/")[2]


def test_a_code_tells_how_many_of_its_devices_are_signed_in_and_until_when_it_is_good(service: Service, director: Caller, tournament: str):
    scope = {"tournament": tournament}
    lasting = code(director, "player", scope, player="p1", good_for="tournament", label="Anna")["code"]
    code(director, "viewer", scope, good_for="many", label="Hall")
    code(director, "arbiter", scope, good_for="round", round=1, label="Otto")
    code(director, "director", scope, label="Dora")
    for _ in range(2):
        browser(service).enter(lasting)
    said = words(director.get(f"/t/{tournament}/desk?step=devices").text)
    for line in (
        "Anna player · 2 of 3 devices · until a day after the end of the tournament",
        "Hall viewer · 0 signed in · until it is taken back",
        "Otto arbiter · for one device · until round 1 closes",
        "Dora director · for one device · until 20",
        "Anna player · device 1 · since",
        "Anna player · device 2 · since",
    ):
        assert line in said


def test_once_the_tournament_is_over_no_code_to_record_is_offered(director: Caller, tournament: str):
    page = f"/t/{tournament}/desk?step=devices"
    assert 'value="table:1"' in director.get(page).text
    assert director.post(f"/v1/tournaments/{tournament}/ending", {"how": "cancelled"}).status_code == 201
    after = director.get(page).text
    assert [offered in after for offered in ('value="table:1"', 'value="recorder"', 'value="arbiter"')] == [False, False, True]


def test_a_game_has_codes_of_its_own_for_its_recorder_its_players_and_spectators(service: Service, director: Caller):
    assert director.post("/v1/players", {"id": "ada", "name": "Ada Lovelace", "club": None}).status_code == 201
    game = director.open(players=["ada", None])
    page = director.get(f"/g/{game}/devices").text
    offered = dict(re.findall(r'<option value="([^"]+)" data-good-for="[^"]+">([^<]+)', page))
    assert offered == {
        "recorder": "who records",
        "arbiter": "an arbiter",
        "player:ada": "Ada Lovelace",
        "viewer": "spectators, as many as come",
    }
    given = code(director, "recorder", {"game": game})["code"]
    assert browser(service).enter(given).status_code == 200
