"""Sheets on paper: they say which tournament, day, round and table they belong to, and have room for signatures."""

from datetime import date
from typing import Any
from uuid import UUID

import msgspec
import pytest

from api.games.paper import Paper
from api.games.printed_sheet import PrintedSheet, print_sheet
from domain.score import Sheet
from tests.api.conftest import Caller, Service
from tests.api.markup import part, words
from tests.api.people import register
from tests.api.tournament import announced, opened, paired
from tests.projections.histories import opened as opening

PAIRS: dict[str, Any] = {"ruleset": "casino", "seats": 4, "options": {"partners": True}, "format": "manual"}


@pytest.fixture(scope="module")
def director(service: Service) -> Caller:
    director = service.caller("director")
    for number, name in enumerate(("Anna", "Ben", "Cleo", "Dana"), 1):
        register(director, f"h{number}", name, alias=f"Vogel {number}")
    return director


def evening(director: Caller, **wanted: Any) -> tuple[str, str]:
    """A tournament, and its game at table 1 of round 1: Anna and Ben against Cleo and Dana."""
    path = announced(director, **PAIRS, **wanted)
    for players in (["h1", "h2"], ["h3", "h4"]):
        assert director.post(f"{path}/entries", {"players": players}).status_code == 201
    paired(director, path, [[1], [2]])
    return path, opened(director, path)["1"]


def dealt_on(director: Caller, game: str, moment: str) -> None:
    assert director.post(f"/v1/games/{game}/hands", {"dealer": 0, "happened_at": moment}).status_code == 201


def page(caller: Caller, game: str, language: str = "en") -> str:
    return str(caller.get(f"/v1/games/{game}/score-sheet?format=html", headers={"Accept-Language": language}).text)


def facts(page: str) -> str:
    (found,) = part(page, '<dl class="facts">')
    return words(found)


def signatures(page: str) -> list[str]:
    (found,) = part(page, '<ul class="signatures">')
    return [words(line) for line in part(found, "<li>")]


def test_a_sheet_says_where_and_when_its_game_was_played(director: Caller):
    _, game = evening(director, title="Frühling & Co")
    dealt_on(director, game, "2026-11-20T19:30:00Z")
    assert facts(page(director, game)) == "Tournament Frühling &amp; Co Date 2026-11-20 Round 1 Table 1"
    assert facts(page(director, game, "de")) == "Turnier Frühling &amp; Co Datum 20.11.2026 Runde 1 Tisch 1"


def test_the_date_of_a_game_is_that_of_its_first_hand_else_of_its_opening(director: Caller):
    game = director.open(happened_at="2026-11-19T20:00:00Z")
    assert facts(page(director, game)) == "Date 2026-11-19"
    dealt_on(director, game, "2026-11-20T19:30:00+02:00")
    assert facts(page(director, game)) == "Date 2026-11-20"


def test_a_tournament_that_nobody_announced_or_titled_goes_by_its_id(director: Caller):
    game = director.open(tournament="elsewhere", happened_at="2026-11-19T20:00:00Z")
    assert facts(page(director, game)) == "Tournament elsewhere Date 2026-11-19"
    path, game = evening(director)
    assert facts(page(director, game)).startswith(f"Tournament {path.rpartition('/')[2]} Date ")


def test_who_holds_a_sheet_is_told_when_the_title_was_erased(director: Caller):
    path, game = evening(director, title="Anna is forty")
    address = f"/v1/games/{game}/score-sheet?format=html"
    held = {"If-None-Match": director.get(address).headers["etag"]}
    assert director.get(address, headers=held).status_code == 304
    assert director.delete(f"{path}/notes/1").status_code == 200
    assert "Anna is forty" not in director.get(address, headers=held).text


def test_there_is_a_line_for_everybody_to_sign(director: Caller, viewer: Caller):
    _, game = evening(director, title="Club night")
    assert signatures(page(director, game)) == ["N Anna", "S Ben", "E Cleo", "W Dana", "Arbiter"]
    assert signatures(page(director, game, "de")) == ["N Anna", "S Ben", "O Cleo", "W Dana", "Schiedsrichter"]
    assert signatures(page(viewer, game)) == ["N Vogel 1", "S Vogel 2", "E Vogel 3", "W Vogel 4", "Arbiter"]


def test_where_nobody_sits_the_line_names_the_seat(director: Caller):
    assert signatures(page(director, director.open(players=["h1", None]))) == ["Anna", "Seat 2", "Arbiter"]
    nobody = director.open(seats=4, options={"partners": True})
    assert signatures(page(director, nobody)) == ["North", "South", "East", "West", "Arbiter"]


def test_the_pdf_says_the_same_as_the_page():
    told = msgspec.json.decode(pdf("de").told)
    assert {key: told[key] for key in ("title", "lead", "facts", "signatures", "sign")} == {
        "title": "Anschreibezettel",
        "lead": "solo",
        "facts": [["Turnier", "Club night"], ["Datum", "21.11.2026"], ["Runde", "2"], ["Tisch", "7"]],
        "signatures": ["anna", "Platz 2", "Schiedsrichter"],
        "sign": "Unterschriften",
    }


def pdf(language: str) -> PrintedSheet:
    sheet = Sheet(((0,), (1,)), (), (0, 0), (), (0, 0), finished=False, places=None, winners=None, facts={})
    seated = opening(("anna", None), ruleset="solo", tournament="club-night", round=2, table="7")
    return print_sheet(Paper(UUID(int=1), 7, seated, seated.players, sheet, None, "Club night", date(2026, 11, 21), language))


def totals(page: str) -> str:
    (found,) = part(page, "<tfoot>")
    return words(found)


def test_the_sheet_and_page_of_a_table_whose_result_was_entered_show_what_counts(director: Caller):
    path, game = evening(director)
    table = f"{path}/rounds/1/tables/1"
    entered = "This table counts by the result that was entered for it, not by this game."
    assert (totals(page(director, game)), entered in page(director, game)) == ("Totals 0 0", False)
    assert director.put(f"{table}/result", {"points": [1115, 960]}).status_code == 201
    told = page(director, game)
    assert (totals(told), entered in told, "· superseded</p>" in told) == ("Counts 1115 960", True, True)
    assert "The table counts 1115 : 960, as it was entered. This game does not count." in director.get(f"/g/{game}").text
    assert director.post(f"{table}/forfeit", {"absent": [1]}).status_code == 201
    assert "Dieser Tisch ist kampflos entschieden. Die Partie zählt nicht." in page(director, game, "de")
    assert director.delete(f"{table}/result").status_code == 201
    assert totals(page(director, game)) == "Totals 0 0"


def test_json_and_csv_of_a_sheet_have_the_result_that_counts_instead(director: Caller):
    path, game = evening(director)
    table, sheet = f"{path}/rounds/1/tables/1", f"/v1/games/{game}/score-sheet"
    before = director.get(sheet)
    assert "counted" not in before.json()
    assert director.put(f"{table}/result", {"points": [1115, 960]}).status_code == 201
    after = director.get(sheet)
    assert (after.json()["counted"], after.json()["totals"]) == ({"how": "entered", "points": [1115, 960]}, [0, 0])
    assert after.headers["etag"] != before.headers["etag"]
    assert director.get(f"{sheet}?format=csv").text.splitlines()[-2:] == [",,,totals,0,0", ",,entered,counted,1115,960"]
    assert director.post(f"{table}/forfeit", {"absent": [1]}).status_code == 201
    assert director.get(sheet).json()["counted"] == {"how": "forfeited", "points": []}
    assert director.get(f"{sheet}?format=csv").text.splitlines()[-1] == ",,forfeited,counted,,"


def test_a_game_that_was_recorded_and_then_decided_otherwise_shows_both(director: Caller):
    path, game = evening(director)
    assert director.post(f"/v1/games/{game}/hands", {"dealer": 0, "result": {"points": [11, 0]}}).status_code == 201
    assert director.put(f"{path}/rounds/1/tables/1/result", {"points": [7, 4]}).status_code == 201
    assert totals(page(director, game)) == "Totals 11 0 Counts 7 4"
    assert "<del>11</del>" in page(director, game)
