"""The case book: filters, the search for words, and that it counts and finds nothing that the caller may not read."""

from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired


@pytest.fixture(scope="module")
def book(service: Service) -> tuple[str, str]:
    """A game with three rulings in a published tournament; and the tournament."""
    director, arbiter = service.caller("director"), service.caller("arbiter")
    path = announced(director, format="manual")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = opened(director, path)["1"]
    director.deal(game)
    assert director.post(f"{path}/publication", {"publication": "names"}).status_code == 201
    for act, body in (
        ("disputes", {"position": 2, "seat": 1, "claim": "The déal was crooked."}),
        ("rulings", {"dispute": 1, "decision": "stands", "reason": "Nobody saw it.", "public": True, "rules": ["CNO-7"]}),
        ("rulings", {"decision": "penalty", "reason": "Telephone.", "public": True, "adjustments": [_points(0, -2), _points(0, -1)]}),
        ("rulings", {"decision": "stands", "reason": "He holds the ten.", "rules": ["CNO-22"]}),
    ):
        assert arbiter.post(f"/v1/games/{game}/{act}", body).status_code == 201
    return game, path.rpartition("/")[2]


def _points(party: int, points: int) -> dict[str, int]:
    return {"party": party, "points": points}


def found(caller: Caller, game: str, **query: Any) -> list[int]:
    answer = caller.get("/v1/rulings", params={"game": game, **query})
    assert answer.status_code == 200, answer.text
    return [one["ruling"] for one in answer.json()["items"]]


@pytest.mark.parametrize(
    ("query", "rulings"),
    [
        ({"rules": "CNO-22"}, [3]),
        ({"rules": "CNO-22,CNO-7"}, [3, 1]),
        ({"decision": "penalty"}, [2]),
        ({"tournament": "elsewhere"}, []),
        ({"from": "2020-01-01T00:00:00Z"}, [3, 2, 1]),
        ({"to": "2020-01-01T00:00:00Z"}, []),
        ({"q": "TELEPHONE"}, [2]),
        ({"q": "crooked deal"}, [1]),
        ({"q": "nobody crooked"}, [1]),
        ({"q": "ten"}, [3]),
        ({"q": "chess"}, []),
    ],
)
def test_an_official_finds_rulings_by_filters_and_by_words(
    service: Service, book: tuple[str, str], query: dict[str, str], rulings: list[int]
):
    assert found(service.caller("arbiter"), book[0], **query) == rulings


def test_the_tournament_of_a_game_is_a_filter(service: Service, book: tuple[str, str]):
    game, tournament = book
    assert found(service.caller("arbiter"), game, tournament=tournament) == [3, 2, 1]


def test_a_viewer_finds_by_no_word_that_they_may_not_read(service: Service, book: tuple[str, str]):
    viewer = service.caller("viewer")
    assert [found(viewer, book[0], q=word) for word in ("telephone", "nobody", "ten", "crooked")] == [[2], [1], [], []]
    [last] = viewer.get("/v1/rulings", params={"game": book[0], "rules": "CNO-22"}).json()["items"]
    assert (last["reason"], "claim" in last) == (None, False)


def test_points_and_the_claim_stand_beside_the_ruling(service: Service, book: tuple[str, str]):
    last, penalty, first = service.caller("arbiter").get("/v1/rulings", params={"game": book[0]}).json()["items"]
    assert (penalty["points"], last["points"], first["points"]) == ([_points(0, -3)], [], [])
    assert (penalty["claim"], first["claim"], first["tournament"]) == (None, "The déal was crooked.", book[1])


def test_a_search_goes_on_behind_what_one_request_looks_through(service: Service, book: tuple[str, str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("api.rulings.ruling_search._SEARCHED", 2)
    arbiter = service.caller("arbiter")
    first = arbiter.get("/v1/rulings", params={"game": book[0], "q": "nobody"}).json()
    assert (first["items"], first["next"] is None) == ([], False)
    rest = arbiter.get("/v1/rulings", params={"game": book[0], "q": "nobody", "cursor": first["next"]}).json()
    assert ([one["ruling"] for one in rest["items"]], rest["next"]) == ([1], None)


@pytest.mark.parametrize("query", [{"rules": "CNO-7,"}, {"rules": "x"}, {"q": ""}, {"from": "yesterday"}, {"rule": "CNO-7"}])
def test_what_is_no_filter_is_refused(service: Service, query: dict[str, str]):
    answer = service.caller("arbiter").get("/v1/rulings", params=query)
    assert (answer.status_code, answer.json()["where"]) == (400, next(iter(query)))


def test_an_erased_text_is_found_by_none_of_its_words(service: Service, book: tuple[str, str]):
    director, game = service.caller("director"), book[0]
    positions = {one["ruling"]: one["position"] for one in director.get("/v1/rulings", params={"game": game}).json()["items"]}
    assert director.delete(f"/v1/games/{game}/notes/{positions[2]}").status_code == 200
    assert found(director, game, q="telephone") == []
