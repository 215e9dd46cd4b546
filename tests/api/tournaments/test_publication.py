"""Names of the players of a published tournament: officials read them always, everybody else where it is published with names."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.people import erase, merge, register
from tests.api.tournament import announced, opened, paired

NAMES, ALIASES = ["Anna Müller", "Bert"], ["Adler", "Entrant 2"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("service")), without_limits) as service:
        director = service.caller("director")
        register(director, "p1", "Anna Müller", alias="Adler")
        register(director, "p2", "Bert")
        yield service


def played(director: Caller, *players: str) -> tuple[str, str]:
    """A tournament of these two players, and the game of its only table."""
    tournament = announced(director, format="manual")
    entries = [{"players": [player]} for player in players or ("p1", "p2")]
    assert director.post(f"{tournament}/entries", {"entries": entries}).status_code == 201
    paired(director, tournament, [[1], [2]])
    game = opened(director, tournament)["1"]
    assert director.put(f"{tournament}/rounds/1/tables/1/result", {"points": [21, 17]}).status_code == 201
    return tournament, game


def publish(director: Caller, tournament: str, publication: str) -> None:
    assert director.post(f"{tournament}/publication", {"publication": publication}).status_code == 201


def told(caller: Caller, tournament: str, game: str) -> dict[str, list[str]]:
    """By what the two players are called, wherever something may stand for them."""

    def read(path: str) -> Any:
        return caller.get(path).json()

    sheet = csv.reader(io.StringIO(caller.get(f"/v1/games/{game}/score-sheet?format=csv").text))
    printed = caller.get(f"/v1/games/{game}/score-sheet?format=html").text
    lines = csv.DictReader(io.StringIO(caller.get(f"{tournament}/standings?format=csv").text))
    entered = read(f"{tournament}/history")["events"][2]["at"]
    results = f"/v1/results?names=true&tournament={tournament.rpartition('/')[2]}"
    scores = f"/v1/scores?names=true&tournament={tournament.rpartition('/')[2]}"
    return {
        "entries": [name for one in read(f"{tournament}/entries")["entrants"] for name in one["shown"]],
        "round": [seat["shown"] for seat in read(f"{tournament}/rounds/1")["tables"][0]["seats"]],
        "seating": [seat["shown"] for seat in read(f"{tournament}/rounds/1/seating")["tables"][0]["seats"]],
        "standings": [name for line in read(f"{tournament}/standings")["lines"] for name in line["shown"]],
        "standings as of before": [name for line in read(f"{tournament}/standings?round=1")["lines"] for name in line["shown"]],
        "standings for spreadsheets": [line["players"] for line in lines],
        "difference": [name for one in read(f"{tournament}/standings/diff?old={entered}")["moved"] for name in one["shown"]],
        "sheet": next(line[4:] for line in sheet if line[3] == "players"),
        "printed sheet": sorted(set(re.findall("Anna Müller|Bert|Adler|Entrant 2", printed))),
        "replay": read(f"/v1/games/{game}/replay?names=true&limit=1")["frames"][0]["names"],
        "results": [one["player_name"] for one in read(results)["items"]],
        "results for spreadsheets": _column(caller, f"{results}&format=csv"),
        "score lines": sorted({line["player_name"] for line in read(scores)["items"]}),
        "score lines for programs": sorted(set(_column(caller, f"{scores}&format=csv"))),
        "score lines of a player": sorted(set(_column(caller, f"/v1/players/p1/scores?names=true&format=csv&{scores.partition('&')[2]}"))),
    }


def _column(caller: Caller, path: str) -> list[str]:
    return [line["player_name"] for line in csv.DictReader(io.StringIO(caller.get(path).text))]


@pytest.mark.parametrize(("publication", "names"), [("aliases", ALIASES), ("names", NAMES)])
def test_a_viewer_of_a_published_tournament_is_told_aliases_or_names(service: Service, publication: str, names: list[str]):
    director, viewer = service.caller("director"), service.caller("viewer")
    tournament, game = played(director)
    closed = told(viewer, tournament, game)
    publish(director, tournament, publication)
    everywhere = {read: names[:1] if read == "score lines of a player" else names for read in closed}
    assert told(viewer, tournament, game) == everywhere
    assert told(director, tournament, game) == {read: NAMES[: len(one)] for read, one in everywhere.items()}
    publish(director, tournament, "no")
    assert told(viewer, tournament, game) == closed == {read: ALIASES[: len(one)] for read, one in everywhere.items()}


def test_names_of_one_tournament_are_not_told_in_another(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    publish(director, played(director)[0], "names")
    other, game = played(director)
    publish(director, other, "aliases")
    assert {name for names in told(viewer, other, game).values() for name in names} == set(ALIASES)
    assert viewer.get("/v1/players/p1").json()["shown"] == "Adler"


def test_players_who_were_erased_or_have_another_id_now_are_called_as_ever(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    register(director, "p3", "Carla")
    register(director, "p4", "Dora")
    register(director, "p5", "Dora Maier")
    tournament, _ = played(director, "p3", "p4")
    publish(director, tournament, "names")
    erase(director, "p3")
    merge(director, "p4", "p5")
    shown = [seat["shown"] for seat in viewer.get(f"{tournament}/rounds/1").json()["tables"][0]["seats"]]
    assert shown == ["Entrant 1", "Dora Maier"]


def test_the_same_publication_again_is_refused(service: Service):
    director = service.caller("director")
    tournament, _ = played(director)
    again = director.post(f"{tournament}/publication", {"publication": "no"})
    assert (again.status_code, again.json()["code"]) == (422, "published_so_already")
