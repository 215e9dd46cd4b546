"""Seating cards: who sits where and with whom, four on a page to cut."""

import re
from typing import Any

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import part, rows
from tests.api.people import register
from tests.api.tournament import announced, entered, paired

PAIRS: dict[str, Any] = {"ruleset": "casino", "seats": 4, "options": {"partners": True}, "format": "manual"}


@pytest.fixture(scope="module")
def director(service: Service) -> Caller:
    director = service.caller("director")
    for number, name in enumerate(("Anna", "Ben", "Cleo", "Dana"), 1):
        register(director, f"s{number}", name, alias=f"Vogel {number}")
    register(director, "emil", "Emil")
    register(director, "finn", "Finn")
    return director


@pytest.fixture(scope="module")
def pairs(director: Caller) -> str:
    """Anna and Ben against Cleo and Dana; Emil and Finn have a bye."""
    path = announced(director, **PAIRS, title="Club night")
    for players in (["s1", "s2"], ["s3", "s4"], ["emil", "finn"]):
        assert director.post(f"{path}/entries", {"players": players}).status_code == 201
    paired(director, path, [[1], [2]], byes=[3])
    return path


def cards(caller: Caller, path: str, language: str = "en") -> list[list[list[str]]]:
    """The rows of each card."""
    page = caller.get(f"{path}/rounds/1/seating?format=html", headers={"Accept-Language": language}).text
    return [rows(card) for card in part(page, '<section class="card">')]


def test_partners_sit_opposite_each_other_and_their_card_says_so_by_the_compass(director: Caller, pairs: str):
    assert cards(director, pairs) == [
        [["N", "Anna with Ben", "1"], ["S", "Ben with Anna", "1"], ["E", "Cleo with Dana", "2"], ["W", "Dana with Cleo", "2"]]
    ]
    assert cards(director, pairs, "de") == [
        [["N", "Anna mit Ben", "1"], ["S", "Ben mit Anna", "1"], ["O", "Cleo mit Dana", "2"], ["W", "Dana mit Cleo", "2"]]
    ]


def test_a_viewer_reads_no_name_of_a_partner(viewer: Caller, pairs: str):
    assert cards(viewer, pairs) == [
        [
            ["N", "Vogel 1 with Vogel 2", "1"],
            ["S", "Vogel 2 with Vogel 1", "1"],
            ["E", "Vogel 3 with Vogel 4", "2"],
            ["W", "Vogel 4 with Vogel 3", "2"],
        ]
    ]


def test_the_list_for_the_wall_names_table_seat_and_partner(director: Caller, pairs: str):
    page = director.get(f"{pairs}/rounds/1/seating?format=html", headers={"Accept-Language": "de"}).text
    assert rows(page)[:7] == [
        ["Spieler", "Nr.", "Tisch", "Platz", "Partner"],
        ["Anna", "1", "1", "N", "Ben"],
        ["Ben", "1", "1", "S", "Anna"],
        ["Cleo", "2", "1", "O", "Dana"],
        ["Dana", "2", "1", "W", "Cleo"],
        ["Emil", "3", "spielfrei", "", "Finn"],
        ["Finn", "3", "spielfrei", "", "Emil"],
    ]


def test_for_programs_a_seat_keeps_its_number_and_names_the_partners(director: Caller, viewer: Caller, pairs: str):
    first, *_, last = director.get(f"{pairs}/rounds/1/seating").json()["players"]
    assert first == {"entrant": 1, "player": "s1", "shown": "Anna", "table": "1", "seat": 0, "partners": ["Ben"]}
    assert last == {"entrant": 3, "player": "finn", "shown": "Finn", "table": None, "seat": None, "partners": ["Emil"]}
    assert viewer.get(f"{pairs}/rounds/1/seating").json()["players"][2]["partners"] == ["Vogel 2"]


def test_partners_who_change_from_round_to_round_are_named(director: Caller):
    path = announced(director, **PAIRS, entrants="players")
    for player in ("s1", "s2", "s3", "s4"):
        assert director.post(f"{path}/entries", {"players": [player]}).status_code == 201
    paired(director, path, [[1, 3], [4, 2]])
    assert cards(director, path) == [
        [["N", "Anna with Cleo", "1"], ["S", "Cleo with Anna", "3"], ["E", "Dana with Ben", "4"], ["W", "Ben with Dana", "2"]]
    ]


@pytest.mark.parametrize(("seats", "places"), [(2, ["1", "2"]), (3, ["1", "2", "3"]), (4, ["N", "E", "S", "W"])])
def test_who_plays_alone_finds_the_seat_as_people_call_it(director: Caller, seats: int, places: list[str]):
    scoring = {"places": list(range(seats, 0, -1))}
    path = announced(director, ruleset="casino", seats=seats, format="manual", scoring={"by": "match_points", **scoring})
    entered(director, path, seats)
    paired(director, path, [[number] for number in range(1, seats + 1)])
    assert cards(director, path) == [[[place, f"Entrant {number}", str(number)] for number, place in enumerate(places, 1)]]
    page = director.get(f"{path}/rounds/1/seating?format=html").text
    assert rows(page)[:2] == [["Player", "No.", "Table", "Seat"], ["Entrant 1", "1", "1", places[0]]]


def test_four_cards_lie_on_a_page_to_cut(director: Caller):
    path = announced(director, format="manual")
    entered(director, path, 10)
    paired(director, path, *[[[number], [number + 1]] for number in range(1, 11, 2)])
    page = director.get(f"{path}/rounds/1/seating?format=html").text
    sheets = part(page, '<section class="cards">')
    assert [re.findall(r"<h2>(.*?)</h2>", sheet) for sheet in sheets] == [["Table 1", "Table 2", "Table 3", "Table 4"], ["Table 5"]]
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert "@page cards { size: A4; margin: 0; }" in style


def test_a_slip_for_a_paper_table_has_the_names_and_lines_to_write_on(director: Caller, pairs: str):
    page = director.get(f"{pairs}/rounds/1/seating?format=html&slips=true", headers={"Accept-Language": "de"}).text
    (slip,) = part(page, '<section class="card slip">')
    heading, *lines = rows(slip)
    assert heading == ["Spiel", "N Anna S Ben", "O Cleo W Dana"]
    assert lines == [*([str(hand), "", ""] for hand in range(1, 9)), ["Ergebnis", "", ""], ["Unterschrift", "", ""]]
