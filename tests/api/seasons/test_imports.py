"""Results of earlier tournaments from lists: players, ratings, standings, series, a report per line, and the withdrawal."""

import io
from datetime import date
from typing import Any

import openpyxl
import pytest

from domain.ratings import Rating, RatingRun
from tests.api.conftest import Caller, Service
from tests.api.people import register

CSV = {"Content-Type": "text/csv; charset=utf-8", "Accept-Language": "de"}
XLSX = {"Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
EVENING = """Turnier;Datum;Spiel;Runde;Tisch;Nummer;Spieler;Team;Punkte
Herbstpokal;5.11.2023;Canasta;1;1;a;Anna;A;1250,0
Herbstpokal;5.11.2023;Canasta;1;1;b;Bert;A;1250
Herbstpokal;5.11.2023;Canasta;1;1;c;Cora;B;-85
Herbstpokal;5.11.2023;Canasta;1;1;d;Dirk;B;-85
Herbstpokal;2023-11-12;Canasta;2;1;a;Anna;A;300
Herbstpokal;2023-11-12;Canasta;2;1;c;Cora;A;300
Herbstpokal;2023-11-12;Canasta;2;1;b;Bert;B;900
Herbstpokal;2023-11-12;Canasta;2;1;e;Emil;B;900
"""
EARLIER = """event,date,game,no,name,partner,rank
Spring,2023-03-05,canasta,a,Anna,Cora,2
Spring,2023-03-05,canasta,c,Cora,Anna,2
Spring,2023-03-05,canasta,b,Bert,Dirk,1
Spring,2023-03-05,canasta,d,Dirk,Bert,1
"""


def sent(caller: Caller, body: str | bytes, query: str = "", headers: dict[str, str] = CSV) -> dict[str, Any]:
    content = body.encode() if isinstance(body, str) else body
    answer = caller.call("POST", f"/v1/past-results{query}", content=content, headers=headers)
    assert answer.status_code == (201 if answer.json().get("recorded") else 200), answer.text
    return dict(answer.json())


def ratings(caller: Caller) -> dict[str, Rating]:
    answer = caller.call("GET", "/v1/ratings?ruleset=canasta").json()
    return {one["player"]: Rating(one["mu"], one["sigma"], one["games"]) for one in answer["items"]}


def sheet(*rows: tuple[Any, ...]) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def test_lists_are_rated_in_the_order_of_dates_as_if_their_results_had_been_played_then(new_service: Service):
    director = new_service.caller("director")
    for list in (EVENING, EARLIER):
        assert sent(director, list)["recorded"]
    run, games = RatingRun(), ((("ac", 2), ("bd", 1)), (("ab", 1), ("cd", 2)), (("ac", 2), ("be", 1)))
    steps = [step for game in games for step in run.rate_game([(tuple(players), place) for players, place in game])]
    assert ratings(director) == {step.player: step.after for step in steps}


def test_a_dry_run_records_nothing_and_the_same_list_again_adds_nothing(new_service: Service):
    director = new_service.caller("director")
    told = {"title": "Herbstpokal", "ruleset": "canasta", "first_day": "2023-11-05", "last_day": "2023-11-12", "players": 5, "tables": 2}
    tried = sent(director, EVENING, "?dry_run=true")
    assert director.call("GET", "/v1/tournaments").json()["items"] == []
    done, again = sent(director, EVENING), sent(director, EVENING)
    id = done["tournaments"][0]["tournament"]
    assert [one["tournaments"] for one in (tried, done, again)] == [
        [{"tournament": id, **told, "already": already}] for already in (False, False, True)
    ]
    assert [(one["recorded"], one["registered"]) for one in (tried, done, again)] == [(False, 5), (True, 5), (False, 0)]
    assert [(line["player"], line["new"]) for line in again["lines"]] == [(player, False) for player in "abcdacbe"]
    assert director.call("GET", f"/v1/tournaments/{id}/audit").json()["verdict"] == "sound"


def test_a_withdrawal_gives_back_what_was_before_and_the_list_can_be_imported_again(new_service: Service):
    director = new_service.caller("director")
    sent(director, EARLIER)
    before, (done,) = ratings(director), sent(director, EVENING)["tournaments"]
    path = f"/v1/tournaments/{done['tournament']}"
    assert director.call("POST", f"{path}/publication", json={"publication": "names"}).status_code == 201
    assert director.call("POST", f"{path}/withdrawal", json={"reason": "the wrong list"}).status_code == 201
    now = director.call("GET", path).json()
    assert (ratings(director), now["state"], now["publication"]) == (before, "cancelled", "no")
    assert director.call("POST", f"{path}/withdrawal", json={}).json()["code"] == "tournament_ended"
    assert director.call("GET", f"{path}/audit").json()["verdict"] == "sound"
    assert [one["already"] for one in sent(director, EVENING)["tournaments"]] == [False]


def test_a_tournament_that_was_played_here_is_not_withdrawn(new_service: Service):
    director = new_service.caller("director")
    director.call("POST", "/v1/tournaments", json={"id": "here", "ruleset": "canasta", "seats": 4, "format": "manual"})
    answer = director.call("POST", "/v1/tournaments/here/withdrawal", json={})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_imported")


def test_a_ranking_in_a_spreadsheet_counts_in_a_series_with_its_places(new_service: Service):
    director = new_service.caller("director")
    rows = [
        ("Rang", "Name", "Punkte", "Bemerkung"),
        (1, "Anna", 7.5, None),
        (2, "Bert", 6, "x"),
        (3, "Cora", 6.0, None),
        (4, "Dirk", 2, None),
    ]
    query = "?tournament=Meisterschaft&date=31.12.2019&ruleset=casino"
    done = sent(director, sheet(*rows), query, {**XLSX, "Accept-Language": "de"})
    assert [one["code"] for one in done["remarks"]] == ["columns_ignored", "scores_multiplied"]
    id = done["tournaments"][0]["tournament"]
    places = director.call("GET", f"/v1/tournaments/{id}/standings").json()["lines"]
    assert [(one["place"], one["shown"], one["score"], one["ordered"]) for one in places] == [
        (1, ["Anna"], 75, False),
        (2, ["Bert"], 60, True),
        (3, ["Cora"], 60, True),
        (4, ["Dirk"], 20, False),
    ]
    series = director.call("POST", "/v1/series", json={"title": "Cup"}).json()["series"]
    assert director.call("POST", f"/v1/series/{series}/tournaments", json={"tournament": id}).status_code == 201
    (played,) = director.call("GET", f"/v1/series/{series}/standings").json()["tournaments"]
    assert (played["tournament"], played["ended_at"][:10]) == (id, "2019-12-31")


def test_dates_and_numbers_of_a_spreadsheet_are_read_as_it_shows_them(new_service: Service):
    director = new_service.caller("director")
    rows = [("date", "round", "table", "player", "score"), *((date(2021, 5, 4), 1.0, 7, name, 3) for name in ("Anna", "Bert"))]
    (done,) = sent(director, sheet(*rows), "?tournament=May&ruleset=casino", XLSX)["tournaments"]
    assert (done["first_day"], done["tables"], done["players"]) == ("2021-05-04", 1, 2)


@pytest.mark.parametrize("body", [b"no spreadsheet", sheet()[:-30]])
def test_what_is_no_spreadsheet_is_refused(director: Caller, body: bytes):
    answer = director.call("POST", "/v1/past-results", content=body, headers=XLSX)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_xlsx")


WRONG = {
    "2023-02-31;casino;1;1;Anna;;5;": ("bad_date", "date"),
    "1.1.2999;casino;1;1;Anna;;5;": ("impossible_date", "date"),
    ";casino;1;1;Anna;;5;": ("date_missing", "date"),
    "1.1.2020;chess;1;1;Anna;;5;": ("ruleset_unknown", "ruleset"),
    "1.1.2020;casino;;1;Anna;;5;": ("round_missing", "round"),
    "1.1.2020;casino;x;1;Anna;;5;": ("malformed_body", "round"),
    "1.1.2020;casino;1;1;;;5;": ("player_missing", "player"),
    "1.1.2020;casino;1;1;Twin;;5;": ("player_ambiguous", "player"),
    "1.1.2020;casino;1;1;Eva;;1.000,5;": ("bad_score", "score"),
    "1.1.2020;casino;1;1;Eva;;;": ("score_missing", "score"),
    "1.1.2020;casino;2;1;Eva;;;": ("no_result", "score"),
    "1.1.2020;casino;1;1;Eva;T;5;": ("party_size", "team"),
    "1.1.2020;casino;1;1;Zoe;;5;": ("player_twice", "player"),
    "2.1.2020;casino;1;1;Eva;;5;": ("dates_differ", "date"),
    "1.1.2020;canasta;1;1;Eva;;5;": ("rulesets_differ", "ruleset"),
    "1.1.2020;casino;1;wall;Eva;;5;": ("table_name_taken", "table"),
    "1.1.2020;casino;1;1;Eva;;5;1": ("place_contradicts", "place"),
}
"""Lines behind others that are right, with the code and the column of their refusal."""


def test_every_wrong_line_says_what_is_wrong_and_nothing_is_recorded(new_service: Service):
    director = new_service.caller("director")
    for id in ("t1", "t2"):
        register(director, id, "Twin")
    right = "Datum;Spiel;Runde;Tisch;Spieler;Team;Punkte;Platz\n1.1.2020;casino;1;1;Zoe;;9;2\n1.1.2020;casino;1;1;Yan;;8;3\n"
    found = {}
    for line in WRONG:
        partner = line.replace(";Eva;T;", ";Udo;T;") if ";T;" in line else ""
        report = sent(director, f"{right}{line}\n{partner}", "?tournament=Cup")
        errors = [one["error"] for one in report["lines"] if one["error"]]
        assert (report["recorded"], len(errors)) == (False, report["refused"])
        found[line] = errors[0]["code"], errors[0]["where"]
    assert found == WRONG
    assert director.call("GET", "/v1/tournaments").json()["items"] == []
    told = sent(director, f"{right}1.1.2020;casino;1;1;Twin;;5;4\n", "?tournament=Cup")["lines"][2]["error"]
    assert told["message"] == "„Twin“ heißen mehrere: t1, t2. Bitte die Nummer in eine Spalte „Nummer“ schreiben, oder den Verein dazu."
