"""The register of looks over HTTP: for directors, newest first, page by page."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from domain.access import Grant, OfGame, OfTournament
from domain.journal.registers import CardAccess
from tests.api.conftest import Caller, Service, add_token, link, secret
from tests.api.tournament import announced

NINE, TEN = "2026-11-21T19:09:00.000000Z", "2026-11-21T19:10:00.000000Z"


def looked(service: Service, game: str, *lines: tuple[str, str, str], tournament: str | None = None) -> None:
    """Lines as a server of before may have left them: minute, view and who."""
    service.services.registers.keep_looks(
        [CardAccess(minute.replace(".000000", ""), UUID(game), view, by, tournament) for minute, view, by in lines]
    )


def told(answer: Any) -> list[tuple[str, str, str]]:
    assert answer.status_code == 200, answer.text
    return [(look["minute"], look["view"], look["by"]) for look in answer.json()["items"]]


def test_a_director_reads_who_looked_at_a_game_the_newest_first(new_service: Service):
    director = new_service.caller("director")
    game, other = director.open(), director.open()
    looked(new_service, game, (NINE, "arbiter", "anna"), (TEN, "seat:1", "berta"), (NINE, "seat:0", "anna"))
    looked(new_service, other, (TEN, "arbiter", "cora"))
    answer = director.get(f"/v1/games/{game}/looks")
    assert answer.json() == {
        "items": [
            {"minute": TEN, "by": "berta", "game": game, "tournament": None, "view": "seat:1"},
            {"minute": NINE, "by": "anna", "game": game, "tournament": None, "view": "seat:0"},
            {"minute": NINE, "by": "anna", "game": game, "tournament": None, "view": "arbiter"},
        ],
        "next": None,
    }
    assert director.get(f"/v1/games/{game}/looks", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_a_director_reads_who_looked_at_the_games_of_a_tournament(new_service: Service):
    director = new_service.caller("director")
    announced(director, id="spring-open")
    first, second, alone = director.open(tournament="spring-open"), director.open(tournament="spring-open"), director.open()
    looked(new_service, first, (NINE, "arbiter", "anna"), tournament="spring-open")
    looked(new_service, second, (TEN, "arbiter", "anna"), tournament="spring-open")
    looked(new_service, alone, (TEN, "arbiter", "anna"))
    assert [look["game"] for look in director.get("/v1/tournaments/spring-open/looks").json()["items"]] == [second, first]


@pytest.mark.parametrize("principal", ["anna", "Zoë vom Turm 3", "a" * 100])
def test_pages_lead_through_all_lines(service: Service, principal: str):
    director = service.caller("director")
    game = director.open()
    lines = [(f"2026-11-21T19:{minute:02d}:00.000000Z", "arbiter", principal) for minute in range(7)]
    looked(service, game, *lines)
    path, found = f"/v1/games/{game}/looks?limit=3", []
    while path:
        answer = director.get(path)
        found += told(answer)
        path = link(answer)
    assert found == lines[::-1]


@pytest.mark.parametrize("cursor", ["x", "MjAyNg", "YSBiIGMgZA"])
def test_what_is_no_cursor_is_refused(service: Service, cursor: str):
    director = service.caller("director")
    answer = director.get(f"/v1/games/{director.open()}/looks?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


def test_a_game_or_tournament_that_is_not_there_is_unknown(service: Service):
    director = service.caller("director")
    paths = (f"/v1/games/{uuid4()}/looks", "/v1/tournaments/nowhere/looks")
    assert [director.get(path).json()["code"] for path in paths] == ["unknown_game", "unknown_tournament"]


@pytest.mark.parametrize(
    ("role", "status"), [("director", 200), ("recorder", 403), ("arbiter", 403), ("committee", 403), ("viewer", 403), (None, 401)]
)
def test_only_directors_read_it(service: Service, role: str | None, status: int):
    director = service.caller("director")
    announced(director, id=f"of-{role}")
    paths = (f"/v1/games/{director.open(tournament=f'of-{role}')}/looks", f"/v1/tournaments/of-{role}/looks")
    assert [service.caller(role).get(path).status_code for path in paths] == [status, status]


def test_a_director_of_a_tournament_reads_it_of_his_own_and_of_no_other(service: Service):
    director = service.caller("director")
    announced(director, id="mine")
    announced(director, id="theirs")
    own, other = director.open(tournament="mine"), director.open(tournament="theirs")
    add_token(service.services, "director", "of mine", Grant(OfTournament("mine")))
    add_token(service.services, "director", "of a game", Grant(OfGame(UUID(own), "mine")))
    paths = (f"/v1/games/{own}/looks", "/v1/tournaments/mine/looks", f"/v1/games/{other}/looks", "/v1/tournaments/theirs/looks")
    asked = {
        name: [Caller(service.client, service.contract, secret(name)).get(path).status_code for path in paths]
        for name in ("of mine", "of a game")
    }
    assert asked == {"of mine": [200, 200, 403, 403], "of a game": [200, 403, 403, 403]}
