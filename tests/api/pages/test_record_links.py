"""The button *Record* stands on a page for whoever the API lets record that game, and for nobody else."""

import json
from html import unescape
from typing import NamedTuple
from uuid import UUID

import pytest

from domain.access import UNBOUND, Grant, OfGame, OfTable, OfTournament
from tests.api.conftest import ROLES, Caller, Service, add_token
from tests.api.markup import words
from tests.api.tournament import announced, entered, opened, paired

PAGE = {"Accept": "text/html"}


class Evening(NamedTuple):
    tournament: str
    games: list[str]
    """At tables 1 and 2, and one that belongs to no tournament."""


@pytest.fixture(scope="module")
def evening(service: Service) -> Evening:
    director = service.caller("director")
    path = announced(director, title="Open night", seed="links")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(director, path)
    director.post(f"{path}/publication", {"publication": "aliases"})
    return Evening(path.rpartition("/")[2], [games["1"], games["2"], director.open(players=["ada", "ben"])])


def callers(service: Service, evening: Evening) -> list[Caller]:
    """Nobody, and every role in every scope."""
    scopes = {
        "everything": UNBOUND,
        "tournament": Grant(OfTournament(evening.tournament)),
        "elsewhere": Grant(OfTournament("elsewhere")),
        "table": Grant(OfTable(evening.tournament, "1", 1)),
        "later": Grant(OfTable(evening.tournament, "1", 2)),
        "game": Grant(OfGame(UUID(evening.games[1]), evening.tournament, 1, "2")),
        "single": Grant(OfGame(UUID(evening.games[2]))),
    }
    named = [(f"{role}-{scope}", role, grant) for role in ROLES for scope, grant in scopes.items()]
    named.append(("player-tournament", "player", Grant(OfTournament(evening.tournament), player="p1")))
    named.append(("player-game", "player", Grant(OfGame(UUID(evening.games[2])), seat=0)))
    for name, role, grant in named:
        add_token(service.services, role, name, grant)
    return [service.caller(None), *(service.caller(name) for name, *_ in named)]


def test_record_stands_on_every_page_exactly_where_a_move_would_be_permitted(service: Service, evening: Evening):
    some = set()
    for caller in callers(service, evening):
        lists = [caller.get(path, headers=PAGE).text for path in ("/", f"/t/{evening.tournament}")]
        for game in evening.games:
            tried = caller.post(f"/v1/games/{game}/moves?dry_run=true", {"seat": 0, "move": {"type": "trail", "card": "AS"}})
            permitted = tried.status_code not in (401, 403, 404)
            assert permitted == (tried.status_code == 422), tried.text
            own, button = caller.get(f"/g/{game}", headers=PAGE), f'href="/g/{game}/record"'
            linked = [button in page for page in (*lists, own.text)]
            assert linked == [permitted, permitted and game != evening.games[2], permitted], (caller.token, game)
            some.add((permitted, own.status_code))
    assert {(True, 200), (False, 200)} <= some


def test_a_game_that_is_over_is_not_recorded_any_more(service: Service):
    director = service.caller("director")
    game = director.open()
    assert director.post(f"/v1/games/{game}/abandonment", {"reason": "time"}).status_code == 201
    for path in ("/", f"/g/{game}"):
        assert f"/g/{game}/record" not in director.get(path, headers=PAGE).text


def test_a_player_is_shown_his_own_tables_and_disputes_and_no_others(service: Service):
    director = service.caller("director")
    path = announced(director, title="Quarrel", seed="quarrel")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(director, path)
    for game in games.values():
        director.deal(game)
        assert director.post(f"/v1/games/{game}/disputes", {"position": 2, "seat": 1, "claim": "No."}).status_code == 201
    tournament = path.rpartition("/")[2]
    first = director.get(f"{path}/entries").json()["entrants"][0]["players"][0]
    add_token(service.services, "player", "quarrelling", Grant(OfTournament(tournament), player=first))
    add_token(service.services, "recorder", "at-the-second", Grant(OfTable(tournament, "2", 1)))
    page = service.caller("quarrelling").get("/", headers=PAGE).text
    mine = page[page.index("My tables") : page.index("Playing now")]
    waiting = page[page.index("Waiting for a decision") : page.index("My tables")]
    assert (games["1"] in mine, games["2"] in mine) == (True, False)
    assert (games["1"] in waiting, games["2"] in waiting) == (True, False)
    recorder = service.caller("at-the-second").get("/", headers=PAGE).text
    assert f"/g/{games['1']}#p2" not in recorder
    assert f"/g/{games['2']}#p2" in recorder
    assert "Waiting for a decision" not in words(service.caller("viewer").get("/", headers=PAGE).text)


def test_who_is_let_in_for_a_table_is_told_that_nothing_is_drawn_there_yet(service: Service):
    director = service.caller("director")
    tournament = announced(director, title="Early", seed="early").rpartition("/")[2]
    add_token(service.services, "recorder", "early", Grant(OfTable(tournament, "3", 1)))
    page = service.caller("early").get(f"/t/{tournament}/3", headers=PAGE)
    assert (page.status_code, "Nothing is drawn for this table yet." in words(page.text)) == (200, True)
    assert service.caller("early").get(f"/t/{tournament}/4", headers=PAGE).status_code == 404
    assert director.get(f"/t/{tournament}/3", headers=PAGE).status_code == 404


def test_a_game_leads_on_to_where_its_reader_may_go_when_it_is_over(service: Service, evening: Evening):
    for name, role, grant in (
        ("next-director", "director", UNBOUND),
        ("next-recorder", "recorder", Grant(OfGame(UUID(evening.games[2])))),
        ("next-player", "player", Grant(OfGame(UUID(evening.games[2])), seat=0)),
        ("next-viewer", "viewer", UNBOUND),
    ):
        add_token(service.services, role, name, grant)
    page = service.caller("next-director").get(f"/g/{evening.games[0]}", headers=PAGE).text
    assert next_pages(page) == {"home": "/"}
    told = {
        name: next_pages(service.caller(f"next-{name}").get(f"/g/{evening.games[2]}", headers=PAGE).text)
        for name in ("director", "recorder", "player", "viewer")
    }
    assert told == {
        "director": {"home": "/", "new": "/new?what=game&ruleset=casino"},
        "recorder": {"home": "/"},
        "player": {"home": "/"},
        "viewer": {"home": "/"},
    }


def next_pages(page: str) -> object:
    return json.loads(unescape(page.partition('data-next="')[2].partition('"')[0]))
