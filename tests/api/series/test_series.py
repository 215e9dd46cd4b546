"""A series over HTTP: announced, filled, read as of each moment, and explained down to the ruling that moved somebody."""

from dataclasses import replace
from itertools import count
from typing import Any

from api.common.live.change_feed import SharedReads
from api.http.request import part_of
from domain.access import Grant, OfSeries
from tests.api.conftest import Caller, Service, add_token
from tests.api.people import register
from tests.api.tournament import announced, entered, paired, scored
from tests.api.tournament import opened as open_games

_NUMBERS = count(1)
PLAN = {"points": {"by": "place", "table": [5, 3]}, "tie_breaks": ["first_places"]}


def night(director: Caller, *points: int, end: bool = True) -> str:
    """The id of a tournament of two, p1 and p2, with this result; its path is ``/v1/tournaments/{id}``."""
    path = announced(director, id=f"night-{next(_NUMBERS)}", title="Club night")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": points}).status_code == 201
    if end:
        assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
        assert director.post(f"{path}/ending", {}).status_code == 201
    return path.rpartition("/")[2]


def cup(director: Caller, *nights: str, **plan: Any) -> str:
    """The path of a series of these tournaments."""
    id = f"cup-{next(_NUMBERS)}"
    assert director.post("/v1/series", {"id": id, "title": "Cup", **PLAN, **plan}).status_code == 201
    for one in nights:
        added = director.post(f"/v1/series/{id}/tournaments", {"tournament": one})
        assert added.status_code == 201, added.text
    return f"/v1/series/{id}"


def lines(caller: Caller, path: str, **query: Any) -> list[Any]:
    told = caller.get(f"{path}/standings", params=query).json()
    return [(one["place"], one["players"][0], one["points"]) for one in told["tables"][0]["lines"]]


def test_the_table_of_two_nights_tells_every_result_with_its_tournament(director: Caller):
    one, two = night(director, 21, 17), night(director, 3, 9, end=False)
    told = director.get(f"{cup(director, one, two)}/standings").json()
    assert [(at["tournament"], at["provisional"], at["standings"]) for at in told["tournaments"]] == [
        (one, False, f"/v1/tournaments/{one}/standings"),
        (two, True, f"/v1/tournaments/{two}/standings"),
    ]
    assert told["provisional"]
    assert told["tables"][0]["lines"][0] == {
        "place": 1,
        "players": ["p1"],
        "shown": ["A player"],
        "points": 8,
        "played": 2,
        "adjusted": 0,
        "results": [
            {"tournament": one, "entrants": [1], "place": 1, "points": 5, "counts": True},
            {"tournament": two, "entrants": [1], "place": 2, "points": 3, "counts": True},
        ],
        "tie_breaks": [{"tie_break": "first_places", "value": 1}],
    }


def test_the_table_is_read_as_of_each_moment(director: Caller):
    one, two = night(director, 21, 17), night(director, 3, 9)
    path = cup(director, one)
    before = director.post(f"{path}/tournaments", {"tournament": two}).json()["sequence"] - 1
    director.post(f"{path}/adjustments", {"player": "p2", "points": 2, "reason": "helped"})
    now, first = [(1, "p2", 10), (2, "p1", 8)], [(1, "p1", 5), (2, "p2", 3)]
    assert (lines(director, path), lines(director, path, as_of=before)) == (now, first)
    assert lines(director, path, after=one) == [(1, "p1", 5), (2, "p2", 5)]
    assert director.get(f"{path}/standings", params={"after": "nowhere"}).json()["code"] == "unknown_tournament"
    assert director.get(f"{path}/standings", params={"at": "2020-01-01T00:00:00Z"}).json()["code"] == "unknown_moment"


def test_a_late_ruling_moves_the_table_and_is_named(director: Caller):
    path = announced(director, id=f"night-{next(_NUMBERS)}", games=1)
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    game = open_games(director, path)["1"]
    scored(director, game, 21, 17)
    tournament = path.rpartition("/")[2]
    series = cup(director, tournament)
    sequence = director.get("/v1/feed?limit=1000").json()["entries"][-1]["sequence"]
    penalty = {"adjustments": [{"party": 0, "points": -9}], "reason": "late"}
    assert director.post(f"/v1/games/{game}/adjustments", penalty).status_code == 201
    diff = director.get(f"{series}/standings/diff", params={"old": f"sequence:{sequence}"}).json()
    assert [(one["player"], one["before"]["place"], one["after"]["place"], one["tournaments"]) for one in diff["moved"]] == [
        ("p2", 2, 1, [tournament]),
        ("p1", 1, 2, [tournament]),
    ]
    (change,) = diff["tournaments"]
    assert [(one["game"], one["name"]) for one in change["tables"][0]["acts"]] == [(game, "points.adjusted/1")]


def test_after_a_change_only_its_tournament_is_counted_again(new_service: Service):
    director = new_service.caller("director")
    nights = night(director, 21, 17, end=False), night(director, 3, 9, end=False)
    path = cup(director, *nights)

    def count_nights() -> list[Any]:
        assert lines(director, path)
        reads = part_of(new_service.client.app, SharedReads).standings._reads
        return [reads[night, None][1].result() for night in nights]

    before = count_nights()
    assert director.put(f"/v1/tournaments/{nights[1]}/rounds/1/tables/1/result", {"points": [9, 3]}).status_code == 201
    assert [old is new for old, new in zip(before, count_nights(), strict=True)] == [True, False]
    assert lines(director, path) == [(1, "p1", 10), (2, "p2", 6)]
    for player in ("p1", "p3"):
        register(director, player, player)
    assert director.post("/v1/players/p1/merger", {"into": "p3"}).status_code == 201
    assert [old is new for old, new in zip(before, count_nights(), strict=True)] == [False, False]
    assert lines(director, path) == [(1, "p3", 10), (2, "p2", 6)]


def test_a_series_is_private_until_it_is_published(service: Service, director: Caller, viewer: Caller, nobody: Caller):
    path = cup(director, night(director, 21, 17))
    assert nobody.get(f"{path}/standings").status_code == 401
    assert director.post(f"{path}/publication", {"publication": "aliases"}).status_code == 201
    assert nobody.get(f"{path}/standings").json() == viewer.get(f"{path}/standings").json()
    listed = [one["id"] for one in nobody.get("/v1/series", params={"limit": 200}).json()["items"]]
    assert path.rpartition("/")[2] in listed


def test_a_series_has_directors_of_its_own(service: Service, director: Caller):
    mine, other, open_night = cup(director), cup(director), night(director, 21, 17)
    scope = OfSeries(mine.rpartition("/")[2])
    own = replace(director, token=add_token(service.services, "director", f"own {next(_NUMBERS)}", Grant(scope)))
    adding = {"tournament": open_night}
    assert own.post(f"{mine}/tournaments", adding).json()["code"] == "unknown_tournament"
    director.post(f"/v1/tournaments/{open_night}/publication", {"publication": "aliases"})
    assert [own.post(f"{path}/tournaments", adding).status_code for path in (mine, other)] == [201, 403]
    assert own.get(f"{other}/standings").status_code == 404
    listed = [one["id"] for one in own.get("/v1/series").json()["items"]]
    assert (mine.rpartition("/")[2] in listed, other.rpartition("/")[2] in listed) == (True, False)
    issued = own.post("/v1/tokens", {"role": "viewer", "scope": {"series": mine.rpartition("/")[2]}, "label": "club"})
    assert issued.json()["scope"] == {"series": mine.rpartition("/")[2]}


def test_acts_are_tried_repeated_and_refused_like_all_others(director: Caller):
    path, one = cup(director), night(director, 21, 17)
    tried = director.post(f"{path}/tournaments?dry_run=true", {"tournament": one})
    assert (tried.status_code, tried.json()["dry_run"], director.get(path).json()["tournaments"]) == (200, True, [])
    key = {"Idempotency-Key": f"key {next(_NUMBERS)}"}
    first, again = (director.post(f"{path}/tournaments", {"tournament": one, "weight": "1.5"}, headers=key) for _ in range(2))
    assert (first.json(), again.headers["idempotent-replayed"]) == (again.json(), "true")
    refused = director.post(f"{path}/tournaments", {"tournament": one})
    assert (refused.status_code, refused.json()["code"]) == (422, "tournament_twice")
    stale = director.post(f"{path}/removals", {"tournament": one, "reason": "x"}, headers={"If-Match": '"1"'})
    assert stale.status_code == 412


def test_the_tables_come_as_a_file(director: Caller):
    one = night(director, 21, 17)
    path = cup(director, one, tables={"category": True})
    director.post(f"{path}/categories", {"player": "p2", "category": "junior"})
    heading, *rows = director.get(f"{path}/standings", params={"format": "csv"}).text.splitlines()
    assert heading.startswith("line,table,category,place,name,points,played,adjusted,results,first_places")
    assert [row.split(",")[:9] for row in rows] == [
        ["1", "players", "", "1", "A player", "5", "1", "0", f"{one}: 5"],
        ["2", "players", "", "2", "A player", "3", "1", "0", f"{one}: 3"],
        ["3", "category", "junior", "1", "A player", "3", "1", "0", f"{one}: 3"],
    ]


def test_the_plan_is_corrected_and_the_end_closes_it(director: Caller):
    path = cup(director, night(director, 21, 17))
    assert director.post(f"{path}/corrections", {"points": {"by": "field"}, "title": None}).status_code == 201
    assert lines(director, path) == [(1, "p1", 100), (2, "p2", 50)]
    told = director.get(path).json()
    assert (told["title"], told["plan"]["points"]["by"], told["plan"]["tie_breaks"]) == (None, "field", ["first_places"])
    assert director.post(f"{path}/ending", {"reason": "autumn"}).status_code == 201
    assert director.post(f"{path}/corrections", {"best": 2}).json()["code"] == "series_ended"
    names = [one["name"] for one in director.get(f"{path}/history").json()["events"]]
    assert names == ["series.announced/1", "series.tournament_added/1", "series.corrected/1", "series.ended/1"]


def test_words_are_told_to_officials_and_erased_by_a_director(new_service: Service):
    director, viewer = new_service.caller("director"), new_service.caller("viewer")
    for id, name in (("z1", "Anna Meier"), ("p1", "Anna Meyer")):
        assert director.post("/v1/players", {"id": id, "name": name, "alias": "Falke"}).status_code == 201
    path = cup(director, night(director, 21, 17), title="Cup for Anna Meier")
    director.post(f"{path}/adjustments", {"player": "z1", "points": 2, "reason": "for Anna"})
    assert director.post("/v1/players/p1/merger", {"into": "z1"}).status_code == 201
    notes = director.get(f"{path}/notes").json()["notes"]
    assert [(note["position"], note["text"]) for note in notes] == [(1, "Cup for Anna Meier"), (3, "for Anna")]
    assert [viewer.get(f"{path}/notes").status_code, viewer.delete(f"{path}/notes/1").status_code] == [403, 403]
    assert [director.delete(f"{path}/notes/{position}").json()["erased"] for position in (1, 1, 3)] == [True, False, True]
    assert director.post("/v1/players/z1/erasure", {"confirm": "z1"}).status_code == 200
    told = [director.get(f"{path}{what}").text for what in ("", "/notes", "/history", "/standings", "/standings?format=csv")]
    told.append(director.get(f"/s/{path.rpartition('/')[2]}", headers={"Accept": "text/html"}).text)
    assert [text for text in told if "Anna" in text or "Falke" in text] == []
    assert lines(director, path) == [(1, "z1", 7), (2, "p2", 3)]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_publishing_says_which_results_it_opens(director: Caller):
    hidden, shown = night(director, 21, 17), night(director, 3, 9)
    director.post(f"/v1/tournaments/{shown}/publication", {"publication": "aliases"})
    path = cup(director, hidden, shown)

    def remarks(act: str, **body: Any) -> list[tuple[str, str]]:
        answer = director.post(f"{path}/{act}?dry_run=true", body).json()
        return [(one["code"], one["sentence"]) for one in answer.get("remarks", ())]

    opens = (
        "The series is published: its table shows everybody the results of 1 tournament that is not published, without titles and links."
    )
    names = (
        "The series is published with names: it also names the players of 2 tournaments that are not published with names. "
        "They should have agreed."
    )
    assert remarks("publication", publication="aliases") == [("shows_unpublished", opens)]
    assert remarks("publication", publication="names") == [("shows_unpublished", opens), ("names_players", names)]
    assert director.post(f"{path}/publication", {"publication": "aliases"}).status_code == 201
    assert remarks("tournaments", tournament=night(director, 3, 9)) == [("shows_unpublished", opens)]
    assert remarks("publication", publication="no") == []
