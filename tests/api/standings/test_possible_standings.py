"""What the standings would be if a game came to something else: before a ruling counts."""

from uuid import uuid4

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.evening.book import below


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def evening(director: Caller, recorder: Caller) -> tuple[str, dict[str, str]]:
    """Four players of whom 1 and 3 won the first round; the address of the tournament, and the game of each table."""
    path = announced(director, title="Club night", tie_breaks=["score_difference"], seed="trial")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(recorder, path)
    scored(director, games["1"], 21, 8)
    scored(director, games["2"], 21, 17)
    return path, games


def moved(answer: dict) -> dict[int, tuple[int, int]]:
    return {one["entrant"]: (one["before"]["place"], one["after"]["place"]) for one in answer["moved"]}


def test_who_would_move_and_by_which_table(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    answer = service.caller("arbiter").post(f"{path}/standings/trial", {"game": games["1"], "totals": [21, 22], "places": [2, 1]})
    told = answer.json()
    assert answer.status_code == 200
    assert moved(told) == {3: (2, 1), 2: (4, 2), 1: (1, 3), 4: (3, 4)}
    (table,) = told["tables"]
    assert (table["table"], table["before"]["points"], table["after"]["points"]) == ("1", [21, 8], [21, 22])


def test_nothing_of_it_counts(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    before, head = service.caller("viewer").get(f"{path}/standings").json(), service.services.journal.head()
    service.caller("arbiter").post(f"{path}/standings/trial", {"game": games["1"], "totals": [0, 22], "places": [2, 1]})
    assert service.caller("viewer").get(f"{path}/standings").json() == before
    assert service.services.journal.head() == head


def test_it_is_what_the_ruling_brings_then(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    arbiter, ruling = service.caller("arbiter"), {"decision": "penalty", "adjustments": [{"party": 0, "points": -15}], "reason": "late"}
    tried = arbiter.post(f"/v1/games/{games['1']}/rulings?dry_run=true", ruling).json()["score_sheets"]["after"]
    told = arbiter.post(f"{path}/standings/trial", {"game": games["1"], "totals": tried["totals"], "places": tried["places"]}).json()
    assert arbiter.post(f"/v1/games/{games['1']}/rulings", ruling).status_code == 201
    lines = arbiter.get(f"{path}/standings").json()["lines"]
    stands = {line["entrant"]: (line["place"], line["score"]) for line in lines}
    assert {one["entrant"]: (one["after"]["place"], one["after"]["score"]) for one in told["moved"]}.items() <= stands.items()
    assert told["moved"] != []


def test_an_annulled_game_leaves_its_table_open(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    told = service.caller("arbiter").post(f"{path}/standings/trial", {"game": games["1"], "totals": [21, 8], "annulled": True}).json()
    assert [(table["table"], table["after"]["how"]) for table in told["tables"]] == [("1", "open")]


def test_a_game_of_elsewhere_and_a_party_too_many_are_told_so(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    arbiter = service.caller("arbiter")
    unknown = arbiter.post(f"{path}/standings/trial", {"game": str(uuid4()), "totals": [1, 2]})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_game")
    three = arbiter.post(f"{path}/standings/trial", {"game": games["1"], "totals": [1, 2, 3]})
    assert (three.status_code, three.json()["where"]) == (422, "totals")
    assert three.json()["detail"] == "Name 2 here: one for each party of the game."


def test_what_a_director_would_say_of_a_table_is_tried_as_it_would_count(service: Service, evening: tuple[str, dict[str, str]]):
    path, _ = evening
    director = service.caller("director")
    for said, way in (({"points": [8, 21]}, "PUT result"), ({"absent": [1]}, "forfeit"), ({}, "DELETE result")):
        told = director.post(f"{path}/standings/trial", {"said": {"round": 1, "table": "1", **said}}).json()
        assert director.post(below(f"{path}/rounds/1/tables/1", way), said).status_code == 201
        stands = {line["entrant"]: (line["place"], line["score"]) for line in director.get(f"{path}/standings").json()["lines"]}
        assert told["moved"] != []
        assert {one["entrant"]: (one["after"]["place"], one["after"]["score"]) for one in told["moved"]}.items() <= stands.items()


def test_what_could_not_be_said_of_a_table_is_refused(service: Service, evening: tuple[str, dict[str, str]]):
    path, games = evening
    director, said = service.caller("director"), {"round": 1, "table": "1", "points": [1]}
    assert director.post(f"{path}/standings/trial", {"said": said}).json()["code"] == "points_per_party"
    assert director.post(f"{path}/standings/trial", {"said": {**said, "table": "9"}}).status_code == 404
    for neither in ({}, {"game": games["1"], "totals": [1, 2], "said": said}):
        assert director.post(f"{path}/standings/trial", neither).json()["where"] == "game"
