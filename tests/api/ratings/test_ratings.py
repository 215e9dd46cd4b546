"""Ratings over HTTP: the list of a ruleset in every form, and the games that made a player's rating."""

import csv
import io

from tests.api.conftest import Caller
from tests.api.series.test_series import night


def test_the_list_and_the_course_of_a_player_tell_the_same_rating(director: Caller, viewer: Caller):
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier", "alias": "Falke", "club": "condor"})
    one, two = night(director, 21, 17), night(director, 3, 9)
    told = viewer.get("/v1/ratings", params={"ruleset": "casino"}).json()
    steps = viewer.get("/v1/players/p1/ratings").json()
    assert [(one["tournament"], one["expected_place"], one["place"], one["games"]) for one in steps["items"]] == [
        (two, 1.34, 2, 2),
        (one, 1.5, 1, 1),
    ]
    last, first = steps["items"]
    assert (first["before"], last["before"]) == (1500, first["after"])
    assert [(line["player"], line["shown"], line["club"], line["games"], line["provisional"]) for line in told["items"]] == [
        ("p2", "A player", None, 2, True),
        ("p1", "Falke", "condor", 2, True),
    ]
    assert (told["items"][1]["rating"], told["items"][1]["uncertainty"]) == (last["after"], last["uncertainty"])
    assert told["recomputing_since"] is None
    assert director.get("/v1/ratings?ruleset=casino").json()["items"][1]["shown"] == "Anna Meier"


def test_the_list_is_filtered_comes_page_by_page_and_as_a_file(director: Caller):
    night(director, 21, 17)
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier", "club": "condor"})
    first = director.get("/v1/ratings?ruleset=casino&limit=1").json()
    second = director.get("/v1/ratings", params={"ruleset": "casino", "limit": 1, "cursor": first["next"]}).json()
    rows = csv.DictReader(io.StringIO(director.get("/v1/ratings?ruleset=casino&format=csv").text))
    assert [row["player"] for row in rows] == [page["items"][0]["player"] for page in (first, second)] == ["p1", "p2"]
    assert second["next"] is None
    kept = {"club=condor": ["p1"], "minimum_games=500": [], "to=2020-01-01T00:00:00Z": [], "to=2099-01-01T00:00": ["p1", "p2"]}
    for query, players in kept.items():
        told = director.get(f"/v1/ratings?ruleset=casino&{query}").json()
        assert [one["player"] for one in told["items"]] == players, query


def test_an_erased_player_stays_in_the_list_without_a_name(director: Caller):
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier", "alias": "Falke"})
    night(director, 21, 17)
    before = director.get("/v1/ratings?ruleset=casino").json()["items"]
    assert director.post("/v1/players/p1/erasure", {"confirm": "p1"}).status_code == 200
    after = director.get("/v1/ratings?ruleset=casino").json()["items"]
    assert after == [{**before[0], "shown": "A player"}, before[1]]


def test_a_list_of_an_unknown_ruleset_and_a_broken_cursor_are_refused(director: Caller):
    answers = [director.get(f"/v1/ratings?{query}") for query in ("ruleset=none", "ruleset=casino&cursor=eDp5", "", "ruleset=casino&to=x")]
    assert [one.json()["code"] for one in answers] == ["bad_parameter", "bad_cursor", "bad_parameter", "bad_parameter"]
    assert director.get("/v1/players/nobody/ratings").json()["code"] == "unknown_player"
