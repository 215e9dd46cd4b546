"""Standings over HTTP: as of now, a round, a moment; as JSON, CSV and a page; and what lies between two of them."""

import re
from hashlib import sha256
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import part, rows
from tests.api.tournament import announced, entered, opened, paired, scored

LAST_COLUMNS = "withdrawn_from,undecided,note,club,team,category,prize,prize_category,tournament"


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def evening(director: Caller, recorder: Caller) -> tuple[str, dict[str, str]]:
    """Four players of whom 1 and 3 won the first round; the address of the tournament, and the game of each table."""
    path = announced(director, title="Club night", tie_breaks=["buchholz", "score_difference", "lots"], seed="night")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(recorder, path)
    scored(director, games["1"], 21, 8)
    scored(director, games["2"], 21, 17)
    return path, games


def places(told: dict[str, Any]) -> list[tuple[int, int, float]]:
    return [(line["place"], line["entrant"], line["score"]) for line in told["lines"]]


def test_every_figure_is_explained_down_to_the_games(evening: tuple[str, dict[str, str]], viewer: Caller):
    path, games = evening
    answer = viewer.get(f"{path}/standings")
    told = answer.json()
    link = {"game": games["1"], "url": f"/v1/games/{games['1']}/score-sheet"}
    part = {"round": 1, "table": "1", "how": "played", "opponents": [2], "counts": True, "games": [link]}
    lot = int(sha256(b"night:lots:1").hexdigest()[:12], 16)
    assert answer.status_code == 200
    assert {key: value for key, value in told.items() if key != "lines"} == {
        "tournament": path.rpartition("/")[2],
        "as_of": {"round": None, "sequence": None, "at": None},
        "position": 6,
        "rounds": 1,
        "after": 1,
        "open": 0,
        "heading": "After round 1",
        "undecided": 0,
        "tie_breaks": ["buchholz", "score_difference", "lots"],
        "lots": {"how": "open", "commitment": None, "digits": None, "dice": 0, "thrown": None, "secret": None, "unpaired": 0},
    }
    assert told["lines"][0] == {
        "place": 1,
        "entrant": 1,
        "players": ["p1"],
        "shown": ["Entrant 1"],
        "score": 2,
        "played": 1,
        "wins": 1,
        "draws": 0,
        "losses": 0,
        "withdrawn_from": None,
        "taken_out": False,
        "ordered": False,
        "for_others": 2,
        "tie_breaks": [
            {"tie_break": "buchholz", "value": 0, "parts": [{**part, "value": 0}]},
            {"tie_break": "score_difference", "value": 13, "parts": [{**part, "value": 13}]},
            {"tie_break": "lots", "value": lot, "parts": []},
        ],
        "parts": [{**part, "value": 2}],
    }
    assert places(told) == [(1, 1, 2), (2, 3, 2), (3, 4, 0), (4, 2, 0)]


def test_the_parts_may_be_left_out(evening: tuple[str, dict[str, str]], viewer: Caller):
    told = viewer.get(f"{evening[0]}/standings?explain=false").json()
    assert "parts" not in told["lines"][0]
    assert [set(figure) for figure in told["lines"][0]["tie_breaks"]] == [{"tie_break", "value"}] * 3


def test_standings_of_a_round_leave_later_rounds_away(evening: tuple[str, dict[str, str]], director: Caller, viewer: Caller):
    path, _ = evening
    director.post(f"{path}/rounds/1/closing", {})
    paired(director, path, [[1], [3]], [[2], [4]])
    for table, points in (("1", [3, 21]), ("2", [21, 20])):
        assert director.put(f"{path}/rounds/2/tables/{table}/result", {"points": points}).status_code == 201
    assert places(viewer.get(f"{path}/standings").json()) == [(1, 3, 4), (2, 1, 2), (3, 2, 2), (4, 4, 0)]
    told = viewer.get(f"{path}/standings?round=1").json()
    assert (told["rounds"], told["as_of"]["round"], places(told)) == (1, 1, [(1, 1, 2), (2, 3, 2), (3, 4, 0), (4, 2, 0)])
    assert viewer.get(f"{path}/standings?round=3").json()["code"] == "unknown_round"
    between = viewer.get(f"{path}/standings/diff?old=round:1").json()
    assert [(one["round"], one["table"], one["before"], one["after"]["points"]) for one in between["tables"]] == [
        (2, "1", None, [3, 21]),
        (2, "2", None, [21, 20]),
    ]
    assert [(one["entrant"], one["before"]["place"], one["after"]["place"]) for one in between["moved"]] == [
        (3, 2, 1),
        (1, 1, 2),
        (2, 4, 3),
        (4, 3, 4),
    ]


def test_the_standings_of_a_round_of_any_number_are_looked_for(evening: tuple[str, dict[str, str]], viewer: Caller):
    path, _ = evening
    answer = viewer.get(f"{path}/standings/diff?old=round:999999999")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_round")


def test_a_late_ruling_changes_the_standings_and_the_diff_names_it(evening: tuple[str, dict[str, str]], service: Service, viewer: Caller):
    (path, games), arbiter = evening, service.caller("arbiter")
    told = viewer.get(f"{path}/standings").json()
    ruled = arbiter.post(f"/v1/games/{games['2']}/adjustments", {"adjustments": [{"party": 0, "points": -10}], "reason": "counted anew"})
    assert ruled.status_code == 201
    now = viewer.get(f"{path}/standings").json()
    assert places(now) == [(1, 1, 2), (2, 4, 2), (3, 3, 0), (4, 2, 0)]
    before = viewer.get(f"{path}/standings?as_of={ruled.json()['sequence'] - 1}").json()
    assert before["lines"] == told["lines"]
    diff = viewer.get(f"{path}/standings/diff?old=sequence:{ruled.json()['sequence'] - 1}").json()
    (table,) = diff["tables"]
    assert (table["before"]["points"], table["after"]["points"]) == ([21, 17], [11, 17])
    assert [(act["name"], act["game"], act["position"]) for act in table["acts"]] == [
        ("points.adjusted/1", games["2"], ruled.json()["position"])
    ]
    moved = [(one["entrant"], one["before"]["place"], one["after"]["place"]) for one in diff["moved"]]
    assert moved == [(4, 3, 2), (3, 2, 3)]
    at = viewer.get(f"/v1/games/{games['2']}/history?after={ruled.json()['position'] - 1}").json()["events"][0]["at"]
    assert viewer.get(f"{path}/standings", params={"at": at}).json()["lines"] == now["lines"]


def test_before_the_announcement_there_are_no_standings(evening: tuple[str, dict[str, str]], viewer: Caller):
    answer = viewer.get(f"{evening[0]}/standings?at=2001-01-01T00:00:00Z")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_moment")


@pytest.mark.parametrize("query", ["?at=2026-01-01T00:00:00Z&as_of=3", "?round=0", "/diff", "/diff?old=yesterday", "/diff?old=round:x"])
def test_a_moment_that_cannot_be_read_is_refused(evening: tuple[str, dict[str, str]], viewer: Caller, query: str):
    answer = viewer.get(f"{evening[0]}/standings{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_parameter")


def test_an_unknown_tournament_has_no_standings(viewer: Caller):
    assert viewer.get("/v1/tournaments/nowhere/standings").json()["code"] == "unknown_tournament"


def test_standings_are_a_table_for_spreadsheets(evening: tuple[str, dict[str, str]], viewer: Caller):
    answer = viewer.get(f"{evening[0]}/standings?format=csv")
    first, second, *_ = answer.text.splitlines()
    assert answer.headers["content-type"].startswith("text/csv")
    assert first == f"place,entrant,players,score,played,wins,draws,losses,buchholz,score_difference,lots,{LAST_COLUMNS}"
    assert second.startswith("1,1,Entrant 1,2,1,1,0,0,0,13,")
    assert second.endswith(f",,0,,,,,,,{evening[0].rpartition('/')[2]}")


@pytest.mark.parametrize(("language", "heading"), [("en", "Standings"), ("de", "Rangliste")])
def test_standings_are_a_page_to_print(evening: tuple[str, dict[str, str]], viewer: Caller, language: str, heading: str):
    answer = viewer.get(f"{evening[0]}/standings", headers={"Accept": "text/html", "Accept-Language": language})
    assert (answer.status_code, answer.headers["content-language"]) == (200, language)
    assert f"<h1>{heading}</h1>" in answer.text
    assert "Club night" in answer.text


def test_standings_are_those_after_the_last_round_that_is_over(evening: tuple[str, dict[str, str]], director: Caller, viewer: Caller):
    path, _ = evening

    def said(query: str = "", language: str = "de") -> tuple[int, int, str]:
        told = viewer.get(f"{path}/standings?{query}").json()
        page = director.get(f"{path}/standings?format=html&{query}", headers={"Accept-Language": language}).text
        return told["after"], told["open"], page.partition('<p class="lead">')[2].partition("</p>")[0]

    assert said() == (1, 0, "Club night · Nach Runde 1")
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path, [[1], [3]], [[2], [4]])
    assert said() == (1, 2, "Club night · Nach Runde 1")
    assert said("round=2") == said()
    director.put(f"{path}/rounds/2/tables/1/result", {"points": [5, 4]})
    assert said() == (1, 1, "Club night · Zwischenstand in Runde 2 · noch 1 Tisch offen")
    assert said("round=1") == (1, 0, "Club night · Nach Runde 1")
    director.post(f"{path}/rounds/2/tables/2/adjournment", {})
    director.post(f"{path}/rounds/2/closing", {})
    assert said(language="en") == (2, 1, "Club night · After round 2 · 1 table still open")


def test_standings_are_provisional_while_a_dispute_is_undecided(evening: tuple[str, dict[str, str]], director: Caller, viewer: Caller):
    path, games = evening
    dispute = f"/v1/games/{games['2']}/disputes"

    def said() -> tuple[object, object, str, list[bool]]:
        page = director.get(f"{path}/standings?format=html").text.partition('<p class="lead">')[2].partition("</p>")[0]
        pages = (f"/t/{path.rpartition('/')[2]}", f"/t/{path.rpartition('/')[2]}/wall?show=standings")
        cell = viewer.get(f"{path}/standings?format=csv").text.splitlines()[1].split(",")[-8]
        return viewer.get(f"{path}/standings").json()["undecided"], cell, page, ["provisional" in director.get(one).text for one in pages]

    assert said() == (0, "0", "Club night · After round 1", [False, False])
    assert director.post(dispute, {"claim": "the sweep was never made"}).status_code == 201
    assert said() == (1, "1", "Club night · After round 1 · <strong>provisional, undecided disputes: 1</strong>", [True, True])
    assert viewer.get(f"{path}/standings?at=2099-01-01T00:00:00Z").json()["undecided"] is None
    director.post(f"{dispute}/1/withdrawal", {})
    assert said() == (0, "0", "Club night · After round 1", [False, False])


def test_before_the_first_round_is_over_they_are_those_before_it(director: Caller, viewer: Caller):
    path = announced(director, title="Club night")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    page = director.get(f"{path}/standings?format=html", headers={"Accept-Language": "de"}).text
    assert (viewer.get(f"{path}/standings").json()["after"], "Club night · Vor Runde 1" in page) == (0, True)


def test_every_column_for_spreadsheets_has_a_name_of_its_own(director: Caller, viewer: Caller):
    path = announced(director, format="manual", tie_breaks=["wins", "points", "lots"], seed="s")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    director.put(f"{path}/rounds/1/tables/1/result", {"points": [5, 4]})
    heading, first, _ = viewer.get(f"{path}/standings?format=csv").text.splitlines()
    assert heading == f"place,entrant,players,score,played,wins,draws,losses,tie_break_wins,points,lots,{LAST_COLUMNS}"
    assert first.startswith("1,1,Entrant 1,2,1,1,0,0,1,5,")


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", ["Place", "No.", "Players", "Score", "R1", "W", "D", "L", "Buchholz", "Difference", "Lot"]),
        ("de", ["Platz", "Nr.", "Spieler", "Wertung", "R1", "G", "U", "V", "Buchholz", "Differenz", "Los"]),
    ],
)
def test_on_the_page_the_score_stands_next_to_the_names(
    evening: tuple[str, dict[str, str]], viewer: Caller, language: str, heading: list[str]
):
    page = viewer.get(f"{evening[0]}/standings?format=html", headers={"Accept-Language": language}).text
    told, first, *_ = rows(page)
    assert told == heading
    called = {"en": "Entrant 1", "de": "Teilnehmer 1"}[language]
    assert first[:-1] == ["1", "1", called, "2", "2 2", "1", "0", "0", "0", "13"]
    # On a phone a line has no heading above it, so each figure says what it is.
    labels = re.findall(r'data-label="([^"]*)"', part(page, '<tr role="row">')[1])
    assert labels == [heading[1], *heading[4:]]


def test_the_page_takes_the_width_of_the_wall(evening: tuple[str, dict[str, str]], viewer: Caller):
    page = viewer.get(f"{evening[0]}/standings?format=html").text
    assert '<body class="standings">' in page
    assert ".standings { max-width: none;" in page


def test_who_holds_the_answer_already_is_told_so(evening: tuple[str, dict[str, str]], viewer: Caller):
    etag = viewer.get(f"{evening[0]}/standings").headers["etag"]
    assert viewer.get(f"{evening[0]}/standings", headers={"If-None-Match": etag}).status_code == 304


def test_standings_as_of_a_sequence_to_come_are_refused(evening: tuple[str, dict[str, str]], viewer: Caller):
    answer = viewer.get(f"{evening[0]}/standings?as_of=99999999")
    assert (answer.status_code, answer.json()["code"]) == (400, "ahead")


def test_who_withdrew_keeps_his_line_and_is_marked(evening: tuple[str, dict[str, str]], director: Caller):
    path = evening[0]
    director.post(f"{path}/entries/2/withdrawal", {"from_round": 2})
    lines = {line["entrant"]: line["withdrawn_from"] for line in director.get(f"{path}/standings").json()["lines"]}
    assert (lines[1], lines[2]) == (None, 2)
    assert "(zurückgezogen)" in director.get(f"{path}/standings?format=html", headers={"Accept-Language": "de"}).text
    assert [line["withdrawn_from"] for line in director.get(f"{path}/standings?round=1").json()["lines"]] == [None] * len(lines)


def test_who_withdrew_before_the_first_round_has_no_line(evening: tuple[str, dict[str, str]], director: Caller):
    path = evening[0]
    late = director.post(f"{path}/entries", {"players": ["p-late"]})
    assert late.status_code == 201
    number = director.get(f"{path}/entries").json()["entrants"][-1]["entrant"]
    director.post(f"{path}/entries/{number}/withdrawal", {})
    assert number not in {line["entrant"] for line in director.get(f"{path}/standings").json()["lines"]}


def test_who_leaves_a_round_robin_early_is_told_so_and_stands_last_without_a_place(director: Caller, viewer: Caller):
    path = announced(director, format="round_robin")
    entered(director, path, 4)
    paired(director, path)
    for table, points in (("1", [0, 9]), ("2", [5, 1])):
        assert director.put(f"{path}/rounds/1/tables/{table}/result", {"points": points}).status_code == 201
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    left = director.post(f"{path}/entries/4/withdrawal", {}).json()
    assert [one["code"] for one in left["remarks"]] == ["less_than_half"]
    lines = viewer.get(f"{path}/standings").json()["lines"]
    assert [(line["entrant"], line["score"], line["taken_out"]) for line in lines][1:] == [(1, 0, False), (3, 0, False), (4, 0, True)]
    page = viewer.get(f"{path}/standings?format=html", headers={"Accept-Language": "de"}).text
    assert "zurückgezogen, bevor die Hälfte gespielt war" in page
    assert "(2)" in page


def test_after_a_play_off_the_director_orders_equals_and_the_standings_say_so(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director)
    entered(recorder, path, 2)
    paired(director, path)
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [5, 5]}).status_code == 201
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    order = {"entrants": [2, 1], "reason": "play-off 9 : 3"}
    assert recorder.post(f"{path}/standings/order", order).status_code == 403
    assert director.post(f"{path}/standings/order?dry_run=true", order).status_code == 200
    assert director.post(f"{path}/standings/order", order).status_code == 201
    lines = viewer.get(f"{path}/standings").json()["lines"]
    assert [(line["place"], line["entrant"], line["ordered"]) for line in lines] == [(1, 2, True), (2, 1, True)]
    assert "placed by the director among equals" in viewer.get(f"{path}/standings?format=html").text
    assert [one["text"] for one in director.get(f"{path}/notes").json()["notes"]] == ["play-off 9 : 3"]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_labels_stand_in_every_list_and_the_prize_list_goes_by_category(director: Caller, recorder: Caller, viewer: Caller):
    path = announced(director)
    entered(recorder, path, 2)
    paired(director, path, [[1], [2]])
    label = {"club": "SV Nord", "team": "Nord 1", "category": "junior"}
    assert recorder.post(f"{path}/entries/2/labels", label).status_code == 201
    for same in (label, {"team": "Nord 1"}, {}):
        assert recorder.post(f"{path}/entries/2/labels", same).json()["code"] == "labelled_so_already"
    [event] = recorder.post(f"{path}/entries/2/labels?dry_run=true", {"team": None}).json()["events"]
    assert event["body"]["labels"] == {"club": "SV Nord", "category": "junior", "team": None}
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [5, 3]}).status_code == 201
    funds = {"funds": [{"amounts": [100]}, {"category": "junior", "amounts": [25]}]}
    assert recorder.post(f"{path}/prizes", funds).status_code == 403
    assert director.post(f"{path}/prizes", {"funds": [*funds["funds"], {"amounts": [1]}]}).json()["code"] == "fund_twice"
    assert director.post(f"{path}/prizes", funds).status_code == 201
    awards = viewer.get(f"{path}/prizes").json()["awards"]
    second = {"category": "junior", "place": 1, "entrant": 2, "shown": ["Entrant 2"], "amount": 25}
    assert awards == [{"category": None, "place": 1, "entrant": 1, "shown": ["Entrant 1"], "amount": 100}, second]
    assert viewer.get(f"{path}/standings").json()["prizes"] == awards
    first, last = viewer.get(f"{path}/standings?format=csv").text.splitlines()[1:]
    of = path.rpartition("/")[2]
    assert (first.endswith(f",,,100,,{of}"), last.endswith(f",SV Nord,Nord 1,junior,25,junior,{of}")) == (True, True)
    printed = {
        language: rows(viewer.get(f"{path}/standings?format=html", headers={"Accept-Language": language}).text)[3:]
        for language in ("en", "de")
    }
    assert printed == {
        "en": [["Place", "Players", "Prize"], ["1", "Entrant 1", "100"], ["1", "Entrant 2 junior", "25"]],
        "de": [["Platz", "Spieler", "Preis"], ["1", "Teilnehmer 1", "100"], ["1", "Teilnehmer 2 junior", "25"]],
    }
    assert viewer.get(f"{path}/entries").json()["entrants"][1].items() >= label.items()
    for page in ("standings?format=html", "rounds/1/seating?format=html"):
        assert "Nord 1, SV Nord" in viewer.get(f"{path}/{page}").text
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_readers_who_see_alike_share_standings_until_a_name_or_a_result_changes(
    evening: tuple[str, dict[str, str]], director: Caller, recorder: Caller, viewer: Caller
):
    path, games = evening

    def first(reader: Caller) -> str:
        return str(reader.get(f"{path}/standings").json()["lines"][0]["shown"][0])

    assert director.post("/v1/players", json={"id": "p1", "name": "Ada Berg", "alias": "A."}).status_code == 201
    assert [first(one) for one in (director, viewer, recorder, viewer)] == ["Ada Berg", "A.", "Ada Berg", "A."]
    assert director.post("/v1/players/p1/name", json={"name": "Eva Berg", "alias": "E."}).status_code == 200
    assert [first(one) for one in (viewer, director)] == ["E.", "Eva Berg"]
    assert director.post(f"/v1/games/{games['1']}/annulment", json={"reason": "the wrong deck"}).status_code == 201
    assert first(viewer) != "E."
