"""The bracket of a knock-out over HTTP, and as a picture on the page of the tournament."""

import re

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, paired


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def semis(director: Caller) -> str:
    """Four in a knock-out with a match for the third place; the first of each table has won."""
    path = announced(director, format="knockout", third_place=True)
    entered(director, path, 4)
    paired(director, path)
    for table in "12":
        assert director.put(f"{path}/rounds/1/tables/{table}/result", {"points": [21, 9]}).status_code == 201
    return path


def test_the_final_and_the_match_for_the_third_place_stand_in_the_bracket(director: Caller, viewer: Caller, semis: str):
    first, final = viewer.get(f"{semis}/bracket").json()["rounds"]
    (one, other), (third, fourth) = ([side["entrant"] for side in match["sides"]] for match in first["matches"])
    assert [[side["goes_on"] for side in match["sides"]] for match in first["matches"]] == [[True, False], [True, False]]
    assert [[side["entrant"] for side in match["sides"]] for match in final["matches"]] == [[one, third], [None, None]]
    assert director.post(f"{semis}/rounds/1/closing", {}).status_code == 201
    (event,) = paired(director, semis)["events"]
    assert (event["body"]["third_place"], {frozenset(table["seats"]) for table in event["body"]["tables"]}) == (
        "2",
        {frozenset((one, third)), frozenset((other, fourth))},
    )
    (_, final) = viewer.get(f"{semis}/bracket").json()["rounds"]
    assert [(match["table"], match["third_place"]) for match in final["matches"]] == [("1", False), ("2", True)]


def test_other_formats_have_no_bracket_and_no_match_for_the_third_place(director: Caller):
    path = announced(director)
    entered(director, path, 2)
    paired(director, path)
    assert director.get(f"{path}/bracket").json()["rounds"] == []
    refused = director.post("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "swiss", "third_place": True})
    assert refused.json()["code"] == "third_place_needs_knockout"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ["Bracket", "Semi-finals", "Final", "Third place"]), ("de", ["Turnierbaum", "Halbfinale", "Finale", "Spiel um Platz 3"])],
)
def test_the_page_shows_the_bracket_in_words(director: Caller, semis: str, language: str, said: list[str]):
    page = director.get(f"/t/{semis.rpartition('/')[2]}", headers={"Accept-Language": language}).text
    (shown,) = re.findall(r'<section aria-labelledby="bracket-title">.*?</div>\n<div class="third">.*?</h3>', page, re.S)
    assert re.findall(r"<h[23][^>]*>([^<]+)</h", shown) == said
    assert ("regular" in shown, len(re.findall('class="match"', shown))) == (True, 3)


def test_the_desk_says_by_name_that_a_correction_lets_somebody_else_go_on(director: Caller, semis: str):
    assert director.post(f"{semis}/rounds/1/closing", {}).status_code == 201
    paired(director, semis)
    assert director.put(f"{semis}/rounds/1/tables/1/result", {"points": [1, 9]}).status_code == 201
    page = director.get(f"/t/{semis.rpartition('/')[2]}/desk?step=draw")
    assert page.status_code == 200
    (shown,) = re.findall(r'<div id="conflicts".*?</div>', page.text, re.S)
    assert "is out, and is paired in round 2. <small>" in shown
