"""A table's code that is good for the whole tournament: every route that writes is closed to it in a round that is over, and it reads as a
spectator there.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from api.http.description.openapi import operations
from tests.access.matrix import rows, told
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.api.tournament import announced, entered, opened, paired
from tests.api.web import Browser, browser, code


class Evening(NamedTuple):
    """Round 1 is closed, round 2 in play; ``games`` of table 1, by round."""

    service: Service
    path: str
    tablet: Browser
    games: dict[int, str]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with running(settings_of(tmp_path_factory.mktemp("tables")), without_limits) as service:
        director = service.caller("director")
        path = announced(director, format="manual")
        entered(director, path, 2)
        tablet = browser(service)
        tablet.enter(code(director, "recorder", {"tournament": path.rpartition("/")[2], "table": "1"}, good_for="tournament")["code"])
        games = {}
        for number in (1, 2):
            paired(director, path, [[1], [2]])
            games[number] = opened(director, path, number)["1"]
            assert tablet.post(f"/v1/games/{games[number]}/hands", {"dealer": 0}).status_code == 201
            if number == 1:
                assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [21, 9]}).status_code == 201
                assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
        yield Evening(service, path, tablet, games)


def targets(evening: Evening, method: str, round: int) -> list[tuple[str, str]]:
    """Each route that is about the game of the table, or about the table in the round, and its address."""
    filled = {"game": evening.games[round], "tournament": evening.path.rpartition("/")[2], "round": str(round), "table": "1"}
    found = []
    for path, verb, _ in operations(evening.service.client.app):
        named = re.findall(r"\{(\w+)\}", path)
        about = "game" in named or {"round", "table"} <= set(named)
        if verb.upper() == method and about and set(named) <= set(filled):
            found.append((f"{method} {path}", path.format(**filled)))
    return found


def test_it_writes_nothing_in_a_round_that_is_closed(evening: Evening):
    head, asked = evening.service.services.journal.head(), targets(evening, "POST", 1)
    assert len(asked) > 15
    for route, target in asked:
        if rows()[route].inside["viewer"] != "–":
            continue  # it records nothing
        answer: Any = evening.tablet.post(target, {})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), (route, answer.text)
        if rows()[route].inside["recorder"] == "all":
            assert answer.json()["detail"].startswith("This code is for table 1 in the round in play. Round 1 is not in play"), route
    assert evening.service.services.journal.head() == head


def test_what_a_recorder_may_do_is_open_to_it_in_the_round_in_play(evening: Evening):
    asked = [(route, target) for route, target in targets(evening, "POST", 2) if rows()[route].inside["recorder"] == "all"]
    assert len(asked) > 5
    for route, target in asked:
        assert evening.tablet.post(target, {"unheard of": 1}).status_code not in (401, 403, 404), route


def test_it_reads_a_closed_round_as_a_spectator_and_the_round_in_play_as_a_recorder(evening: Evening):
    viewer = evening.service.caller("viewer")
    for route, target in targets(evening, "GET", 1):
        mine, his = evening.tablet.get(target), viewer.get(target)
        if rows()[route].inside["viewer"] == "–":
            assert (mine.status_code, his.status_code) == (403, 403), route
        elif target.startswith("/v1/"):
            assert told(mine) == told(his), route
    table = f"/v1/games/{evening.games[2]}/table"
    assert told(evening.tablet.get(table)) == told(evening.service.caller("recorder").get(table)) != told(viewer.get(table))
