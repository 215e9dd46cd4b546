"""Score histories over HTTP: pages, filters, a player's history. What the exports hold, ``test_score_exports.py`` tells."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from api.scores.schema import COLUMNS, KEY, SCHEMA
from tests.api.conftest import CASES, Caller, Service

CASE = json.loads(next(file for file in CASES if file.stem == "game-two-players-classic").read_text(encoding="utf-8"))
SHEETS = CASE["expect"]["score_sheet"]["hands"]
LINES = 54
"""Of a game: three hands, two parties, nine rows."""


def play(recorder: Caller, hands: int = 3, **wanted: Any) -> str:
    """The worked game of two, which the second player wins by 25 to 8."""
    game = recorder.open(**wanted)
    for hand in CASE["hands"][:hands]:
        recorder.post(f"/v1/games/{game}/hands", {"dealer": hand["dealer"], "deck": hand["deck"]})
        assert recorder.post(f"/v1/games/{game}/moves", {"moves": hand["moves"]}).status_code == 201
    return game


@pytest.fixture(scope="module")
def games(service: Service) -> list[str]:
    """Two whole games, one with a hand finished and one in progress, and one without players."""
    recorder = service.caller("recorder")
    first = play(recorder, players=["anna", "bert"], tournament="t1", round=1, table="4b")
    second = play(recorder, players=["bert", "carl"], tournament="t2")
    third = play(recorder, hands=1, players=["anna", "carl"])
    recorder.deal(third, dealer=0)
    return [first, second, third, play(recorder, hands=1)]


def pages(caller: Caller, query: str) -> Iterator[dict[str, Any]]:
    """Every page from the first one on, by the links."""
    path: str | None = f"/v1/scores?{query}"
    while path:
        answer = caller.get(path)
        assert answer.status_code == 200, answer.text
        yield answer.json()
        path = answer.links.get("next", {}).get("url")


def lines(caller: Caller, query: str) -> list[dict[str, Any]]:
    return [line for page in pages(caller, query) for line in page["items"]]


def test_a_line_tells_what_one_row_of_one_hand_brought_one_player(viewer: Caller, games: list[str]):
    answer = viewer.get("/v1/scores?limit=1")
    page = answer.json()
    (line,) = page["items"]
    assert (page["schema"], answer.headers["kiebitz-as-of"]) == (SCHEMA, str(page["as_of"]))
    times = {name: line.pop(name) for name in ("opened_at", "played_at", "written_at")}
    assert all(time.endswith("Z") for time in times.values())
    sequence = line.pop("sequence")
    assert 0 < sequence <= page["as_of"]
    assert line == {
        "game": games[0],
        "ruleset": "casino",
        "tournament": "t1",
        "round": 1,
        "table": "4b",
        "position": 50,
        "hand": 1,
        "party": 0,
        "seat": 0,
        "player": "anna",
        "recorded_player": "anna",
        "club": None,
        "how": "recorded",
        "row": "cards",
        "points": 0,
        "state": "counted",
        "ruling": None,
    }


def test_the_lines_of_a_game_are_those_of_its_sheet(viewer: Caller, games: list[str]):
    told = [(line["hand"], line["party"], line["row"], line["points"]) for line in lines(viewer, "tournament=t1&limit=1000")]
    written = [(hand["hand"], party, row, hand["rows"][row][party]) for hand in SHEETS for party in (0, 1) for row in hand["rows"]]
    assert told == written


@pytest.mark.parametrize("limit", [1, 7, 9, 53, 1000])
def test_pages_of_any_size_hold_every_line_once(viewer: Caller, games: list[str], limit: int):
    whole = lines(viewer, "limit=1000")
    assert len(whole) == 2 * LINES + 2 * LINES // 3
    assert [line for page in pages(viewer, f"limit={limit}") for line in page["items"]] == whole
    assert len({tuple(line[name] for name in KEY) for line in whole}) == len(whole)


FILTERED = [
    ("tournament=t1", [0]),
    ("ruleset=casino", [0, 1, 2, 3]),
    ("ruleset=canasta", []),
    ("player=bert", [0, 1]),
    ("player=bert&tournament=t2", [1]),
    ("player=nobody", []),
    ("club=none", []),
    ("from=2099-01-01T00:00:00Z", []),
    ("to=2099-01-01T00:00:00Z&player=anna", [0, 2]),
    ("to=2020-01-01T00:00:00%2B01:00", []),
]


@pytest.mark.parametrize(("query", "expected"), FILTERED)
def test_all_filters_have_to_hold(viewer: Caller, games: list[str], query: str, expected: list[int]):
    assert list(dict.fromkeys(line["game"] for line in lines(viewer, query))) == [games[number] for number in expected]


def test_a_hand_in_progress_tells_nothing(service: Service, viewer: Caller, games: list[str]):
    sheet = viewer.get(f"/v1/games/{games[2]}/score-sheet").json()
    assert (
        {line["hand"] for line in lines(viewer, "limit=1000") if line["game"] == games[2]}
        == {hand["hand"] for hand in sheet["hands"]}
        == {1}
    )


def test_pages_go_on_as_they_began_whatever_is_recorded_meanwhile(service: Service):
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    game = play(recorder, players=["dora", "emil"], tournament="meanwhile")
    before = lines(recorder, "tournament=meanwhile")
    going = pages(recorder, "tournament=meanwhile&limit=20")
    first = next(going)
    arbiter.post(f"/v1/games/{game}/annulment", {"reason": "so be it"})
    play(recorder, players=["dora", "emil"], tournament="meanwhile")
    rest = [line for page in going for line in page["items"]]
    assert first["items"] + rest == before
    after = lines(recorder, "tournament=meanwhile")
    assert [line["state"] for line in after] == ["struck"] * LINES + ["counted"] * LINES
    assert lines(recorder, f"tournament=meanwhile&as_of={first['as_of']}") == before


def test_what_has_changed_since_the_last_export_is_told_and_what_was_taken_back_is_withdrawn(service: Service):
    recorder = service.caller("recorder")
    game = play(recorder, hands=1, players=["fritz", "gerd"], tournament="changing")
    as_of = next(pages(recorder, "tournament=changing"))["as_of"]
    assert lines(recorder, f"tournament=changing&changed_since={as_of}") == []
    assert recorder.post(f"/v1/games/{game}/rewinds", {"to": 49}).status_code == 201
    changed = lines(recorder, f"tournament=changing&changed_since={as_of}")
    assert ({line["state"] for line in changed}, len(changed)) == ({"withdrawn"}, LINES // 3)
    assert lines(recorder, "tournament=changing") == []


def test_adjustments_are_lines_of_their_own(service: Service):
    recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
    game = play(recorder, players=["heidi", "ida"], tournament="adjusted")
    body = {"adjustments": [{"party": 1, "points": -2, "hand": 2}], "reason": "late"}
    assert arbiter.post(f"/v1/games/{game}/adjustments", body).status_code == 201
    *_, last = lines(recorder, "tournament=adjusted")
    assert [last[name] for name in ("hand", "player", "row", "points", "state")] == [2, "ida", "adjustment", -2, "counted"]


def test_whoever_has_written_reads_what_he_wrote(service: Service):
    recorder = service.caller("recorder")
    game = play(recorder, hands=1, tournament="fresh")
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 0})
    sequence = answer.json()["sequence"]
    assert len(lines(recorder, f"tournament=fresh&min_sequence={sequence}")) == LINES // 3
    ahead = recorder.get(f"/v1/scores?as_of={sequence + 1000}")
    assert (ahead.status_code, ahead.json()["code"]) == (400, "ahead")


def test_an_answer_that_is_known_already_is_not_sent_again(service: Service, games: list[str]):
    arbiter, recorder = service.caller("arbiter"), service.caller("recorder")
    etag = arbiter.get("/v1/scores").headers["etag"]
    assert arbiter.get("/v1/scores", headers={"If-None-Match": etag}).status_code == 304
    play(recorder, hands=1)
    assert arbiter.get("/v1/scores", headers={"If-None-Match": etag}).status_code == 200


REFUSED = [
    ("cursor=abc", 400, "bad_cursor"),
    ("cursor=", 400, "bad_cursor"),
    ("cursor=MS4yLjMuNC4tMQ", 400, "bad_cursor"),
    ("colour=red", 400, "unknown_parameter"),
    ("limit=0", 400, "bad_parameter"),
    ("limit=1001", 400, "bad_parameter"),
    ("from=yesterday", 400, "bad_parameter"),
    ("changed_since=-1", 400, "bad_parameter"),
    ("format=pdf", 400, "bad_parameter"),
]


@pytest.mark.parametrize(("query", "status", "code"), REFUSED)
def test_a_query_that_cannot_be_meant_is_refused(viewer: Caller, query: str, status: int, code: str):
    answer = viewer.get(f"/v1/scores?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_cursor_is_as_of_one_sequence(viewer: Caller, games: list[str]):
    page = next(pages(viewer, "limit=5"))
    answer = viewer.get(f"/v1/scores?cursor={page['next']}&as_of={page['as_of'] - 1}")
    assert (answer.status_code, answer.json()["where"]) == (400, "as_of")


def test_scores_are_not_for_everybody_but_their_schema_is(nobody: Caller):
    assert nobody.get("/v1/scores").status_code == 401
    schema = nobody.get("/v1/schemas/scores").json()
    assert (schema["version"], [field["name"] for field in schema["fields"]][:-1]) == (SCHEMA, [column.name for column in COLUMNS])


def test_names_are_those_that_the_caller_may_see(service: Service):
    recorder = service.caller("recorder")
    recorder.post("/v1/players", {"id": "N-1", "name": "Anna Müller", "alias": "Falke", "club": "lehrte"})
    play(recorder, hands=1, players=["N-1", "N-2"], tournament="names")
    for role, expected in (("recorder", ["Anna Müller", None]), ("viewer", ["Falke", None])):
        told = lines(service.caller(role), "tournament=names&names=true")
        assert list(dict.fromkeys(line["player_name"] for line in told)) == expected
    assert {line["club"] for line in lines(recorder, "club=lehrte")} == {"lehrte"}


# Results of tables


def a_tournament(service: Service, id: str, games: int = 0) -> None:
    """Two tables of single players, p1 to p4; so many of them have a game that is over."""
    director = service.caller("director")
    plan = {"ruleset": "casino", "seats": 2, "format": "manual", "scoring": {"by": "match_points", "forfeit": [21, 0]}}
    assert director.post("/v1/tournaments", {"id": id, **plan}).status_code == 201
    entered = {"entries": [{"players": [f"{id}-p{number}"]} for number in range(1, 5)]}
    assert director.post(f"/v1/tournaments/{id}/entries", entered).status_code == 201
    tables = [{"table": "1", "parties": [[1], [2]]}, {"table": "2", "parties": [[3], [4]]}]
    assert director.post(f"/v1/tournaments/{id}/rounds", {"tables": tables}).status_code == 201
    for number in range(games):
        players = [f"{id}-p{2 * number + 1}", f"{id}-p{2 * number + 2}"]
        play(director, players=players, tournament=id, round=1, table=str(number + 1))


def brief(some: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(line["player"], line["row"], line["how"], line["points"], line["state"]) for line in some]


def test_a_result_that_counts_is_in_the_histories_and_the_lines_of_its_games_are_superseded(new_service: Service):
    a_tournament(new_service, "held", games=1)
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    at = "/v1/tournaments/held/rounds/1/tables"
    assert director.put(f"{at}/1/result", {"points": [12, 21]}).status_code == 201
    assert recorder.put(f"{at}/2/result", {"points": [21, 3], "side": 3, "happened_at": "2025-12-24T20:00:00Z"}).status_code == 201
    told = lines(recorder, "tournament=held&limit=1000")
    assert {line["state"] for line in told if line["how"] == "recorded"} == {"superseded"}
    assert brief(told[LINES:]) == [("held-p1", "result", "entered", 12, "counted"), ("held-p2", "result", "entered", 21, "counted")]
    assert {(line["game"], line["position"], line["hand"], line["opened_at"]) for line in told[LINES:]} == {(None, None, None, None)}
    assert recorder.post(f"{at}/2/confirmation", {"side": 4}).status_code == 201
    second = lines(recorder, "tournament=held&to=2026-01-01T00:00:00Z")
    assert brief(second) == [("held-p3", "result", "entered", 21, "counted"), ("held-p4", "result", "entered", 3, "counted")]
    assert {line["played_at"] for line in second} == {"2025-12-24T20:00:00.000000Z"}
    assert director.send("DELETE", f"{at}/1/result", {"reason": "a slip"}).status_code == 201
    assert {line["state"] for line in lines(recorder, "tournament=held&limit=1000")} == {"counted"}
    history = recorder.get("/v1/players/held-p3/scores").json()
    assert history["months"][0]["month"] == "2025-12"
    (one,) = history["items"]
    assert (one["game"], one["opened_at"], one["played_at"], one["table"]) == (None, None, "2025-12-24T20:00:00.000000Z", "2")
    assert (one["hands"], one["points"], one["place"], one["finished"]) == (0, 21, 1, True)


def test_when_the_round_closes_games_of_a_table_with_a_result_are_abandoned(new_service: Service):
    a_tournament(new_service, "closed")
    director, recorder = new_service.caller("director"), new_service.caller("recorder")
    path = "/v1/tournaments/closed/rounds/1"
    running = [play(recorder, hands=1, players=["closed-p1", "closed-p2"], tournament="closed", round=1, table="1")]
    running.append(recorder.open(players=["closed-p3", "closed-p4"], tournament="closed", round=1, table="2"))
    assert director.put(f"{path}/tables/1/result", {"points": [12, 21]}).status_code == 201
    assert director.post(f"{path}/closing", {}).json()["code"] == "round_open"
    assert director.post(f"{path}/tables/2/forfeit", {"absent": [4]}).status_code == 201
    assert director.post(f"{path}/closing?dry_run=true", {}).status_code == 200
    assert {recorder.get(f"/v1/games/{game}").json()["state"] for game in running} == {"open"}
    closed = director.post(f"{path}/closing", {})
    assert [event["name"] for event in closed.json()["events"]] == ["round.closed/1"]
    assert {recorder.get(f"/v1/games/{game}").json()["state"] for game in running} == {"abandoned"}
    counted = [line for line in lines(recorder, "tournament=closed&limit=1000") if line["state"] == "counted"]
    assert [(line["table"], line["points"]) for line in counted] == [("1", 12), ("1", 21), ("2", 21), ("2", 0)]


def test_a_table_that_was_adjourned_and_got_its_result_later_leaves_no_game_open_at_the_end(service: Service):
    a_tournament(service, "late")
    director = service.caller("director")
    path = "/v1/tournaments/late/rounds/1"
    running = play(director, hands=1, players=["late-p1", "late-p2"], tournament="late", round=1, table="1")
    assert director.post(f"{path}/tables/1/adjournment", {}).status_code == 201
    assert director.put(f"{path}/tables/2/result", {"points": [1, 2]}).status_code == 201
    assert director.post(f"{path}/closing", {}).status_code == 201
    assert director.get(f"/v1/games/{running}").json()["state"] == "open"
    assert director.put(f"{path}/tables/1/result", {"points": [3, 4]}).status_code == 201
    assert director.post("/v1/tournaments/late/ending", {"how": "finished"}).status_code == 201
    assert director.get(f"/v1/games/{running}").json()["state"] == "abandoned"


def test_a_forfeit_has_lines_and_is_no_game_of_a_history(service: Service):
    a_tournament(service, "absent")
    director = service.caller("director")
    assert director.post("/v1/tournaments/absent/rounds/1/tables/1/forfeit", {"absent": [2]}).status_code == 201
    told = lines(director, "tournament=absent")
    assert brief(told) == [("absent-p1", "result", "forfeited", 21, "counted"), ("absent-p2", "result", "forfeited", 0, "counted")]
    assert director.get("/v1/players/absent-p1/scores").json()["items"] == []


# A player's history


def test_a_players_history_has_totals_trends_and_games(service: Service):
    recorder = service.caller("recorder")
    games = [play(recorder, players=["kurt", "lena"], tournament="history") for _ in range(2)]
    games.append(play(recorder, players=["lena", "kurt"]))
    games.append(play(recorder, hands=1, players=["lena", "kurt"]))
    told = service.caller("viewer").get("/v1/players/kurt/scores?latest=1").json()
    assert told["player"] == "kurt"
    assert told["totals"] == [
        {
            "ruleset": "casino",
            "games": 4,
            "finished": 3,
            "wins": 1,
            "hands": 10,
            "points": 8 + 8 + 25 + 8,
            "average": 41 / 3,
            "latest_average": 25.0,
            "trend": 25 - 41 / 3,
        }
    ]
    (month,) = told["months"]
    assert (month["games"], month["average"], month["running_average"]) == (4, 41 / 3, 41 / 3)
    assert [(game["game"], game["points"], game["place"], game["finished"]) for game in told["items"]] == [
        (games[3], 8, None, False),
        (games[2], 25, 1, True),
        (games[1], 8, 2, True),
        (games[0], 8, 2, True),
    ]
    assert told["next"] is None


def test_a_players_games_come_page_by_page_and_by_filter(service: Service):
    recorder = service.caller("recorder")
    games = [play(recorder, players=["mona", None], tournament=f"m{number}") for number in range(3)]
    first = recorder.get("/v1/players/mona/scores?limit=2")
    second = recorder.get(first.links["next"]["url"])
    assert [game["game"] for answer in (first, second) for game in answer.json()["items"]] == games[::-1]
    assert second.json()["totals"] == first.json()["totals"]
    one = recorder.get("/v1/players/mona/scores?tournament=m1").json()
    assert ([game["game"] for game in one["items"]], one["totals"][0]["games"]) == ([games[1]], 1)


def test_after_a_merger_the_history_is_that_of_the_person(service: Service):
    director = service.caller("director")
    for id in ("O-1", "O-2"):
        director.post("/v1/players", {"id": id, "name": "Otto"})
    games = [play(director, players=[id, None], tournament="otto") for id in ("O-1", "O-2")]
    assert director.post("/v1/players/O-1/merger", {"into": "O-2"}).status_code == 201
    told = director.get("/v1/players/O-1/scores").json()
    assert (told["player"], {game["game"] for game in told["items"]}) == ("O-2", set(games))


def test_of_an_annulled_game_nothing_counts_in_the_history(service: Service):
    director = service.caller("director")
    game = play(director, players=["paul", "rosa"])
    director.post(f"/v1/games/{game}/annulment", {"reason": "so be it"})
    assert director.get("/v1/players/paul/scores").json()["totals"] == []


def test_nobody_has_no_history(viewer: Caller):
    answer = viewer.get("/v1/players/whoever/scores")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_player")


def test_pages_and_history_on_a_database_server(postgres_service: Service):
    recorder = postgres_service.caller("recorder")
    game = play(recorder, players=["scored-1", "scored-2"])
    assert len(lines(recorder, "limit=10&player=scored-1&from=2020-01-01T00:00:00Z")) == LINES // 2
    assert recorder.get("/v1/players/scored-2/scores").json()["items"][0]["game"] == game
