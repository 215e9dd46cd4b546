"""The wall of a hall: what stands on it, to whom."""

import re

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.tournament import announced, entered, opened, scored
from tests.evening.book import below


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def evening(director: Caller, recorder: Caller) -> str:
    """Five players: one table is over, another plays, the fifth is free; the address of the wall."""
    path = announced(director, title="Club night", seed="wall", rounds=3, tie_breaks=["points", "lots"])
    entered(director, path, 5)
    assert director.post(
        f"{path}/rounds", {"tables": [{"table": str(n + 1), "parties": [[2 * n + 1], [2 * n + 2]]} for n in (0, 1)], "byes": [5]}
    ).is_success
    scored(director, opened(recorder, path)["1"], 21, 8)
    return f"/t/{path.rpartition('/')[2]}/wall"


def test_it_shows_pairings_by_name_until_the_director_chooses(evening: str, viewer: Caller, director: Caller):
    assert "Round 1 · find your table" in words(viewer.get(evening).text)
    assert director.call(
        "PUT", f"/v1/tournaments/{evening.split('/')[2]}/wall", json={"show": "notice", "message": "Soup <now>"}
    ).is_success
    assert "Soup &lt;now&gt;" in viewer.get(evening).text
    assert "find your table" in words(viewer.get(f"{evening}?show=pairings").text)


def test_who_is_free_stands_on_it_too(evening: str, viewer: Caller):
    assert words(viewer.get(f"{evening}?show=pairings").text).count("free") == 1


def test_it_says_how_many_tables_still_play(evening: str, viewer: Caller):
    assert "Standings · As it stands in round 1 · 1 table still open" in words(viewer.get(f"{evening}?show=standings").text)
    tables = words(viewer.get(f"{evening}?show=tables", headers={"Accept-Language": "de"}).text)
    assert "Runde 1 · Ein Tisch spielt noch" in tables
    assert "fertig" in tables
    assert "spielt noch" in tables


def test_it_calls_tables_and_says_which_have_more_time(evening: str, viewer: Caller, director: Caller):
    path = f"/v1/tournaments/{evening.split('/')[2]}"
    assert director.post(f"{path}/rounds/1/tables/2/notice", {"extra_minutes": 5, "called": True}).is_success
    for show, rows in {"tables": 1, "pairings": 2, "pairings&by=table": 1, "standings": 0}.items():
        text = words(viewer.get(f"{evening}?show={show}").text)
        assert ("Table 2: please come to the director." in text, text.count("+5 min")) == (True, rows), show


def test_a_table_has_the_same_points_on_every_page(evening: str, director: Caller):
    path, id = f"/v1/tournaments/{evening.split('/')[2]}", evening.split("/")[2]
    assert director.post(f"{path}/rounds/1/tables/2/forfeit", {"absent": [3]}).is_success
    assert "Entrant 3 – Entrant 4 – over" in words(director.get(f"{evening}?show=tables").text)
    for page in (f"/t/{id}", f"/t/{id}/desk?step=playing"):
        assert "Entrant 3 Entrant 4 " in words(director.get(page).text), page


def test_the_round_that_the_director_chose_belongs_to_what_was_chosen_with_it(evening: str, viewer: Caller, director: Caller):
    path = f"/v1/tournaments/{evening.split('/')[2]}"
    scored(director, director.get(f"{path}/rounds/1").json()["tables"][1]["games"][0]["game"], 21, 8)
    assert director.post(f"{path}/rounds/1/closing", {}).is_success
    assert director.post(f"{path}/rounds", {"tables": [{"table": "1", "parties": [[1], [3]]}], "byes": [2, 4, 5]}).is_success
    assert director.call("PUT", f"{path}/wall", json={"show": "standings", "round": 1}).is_success
    assert "After round 1" in words(viewer.get(evening).text)
    assert "Round 2 · find your table" in words(viewer.get(f"{evening}?show=pairings").text)


def test_a_round_that_was_not_paired_shows_the_newest(evening: str, viewer: Caller):
    assert "Round 1" in words(viewer.get(f"{evening}?show=tables&round=3").text)


def test_before_anything_is_paired_it_says_so(director: Caller, viewer: Caller):
    path = announced(director)
    for show in ("pairings", "tables", "standings"):
        assert "nothing is paired yet" in words(viewer.get(f"/t/{path.rpartition('/')[2]}/wall?show={show}").text)


def test_it_shows_what_is_on_pairings_while_a_round_is_played_and_standings_after_it(evening: str, viewer: Caller, director: Caller):
    path = f"/v1/tournaments/{evening.split('/')[2]}"
    scored(director, director.get(f"{path}/rounds/1").json()["tables"][1]["games"][0]["game"], 21, 8)
    assert "Round 1 · find your table" in words(viewer.get(evening).text)
    assert director.post(f"{path}/rounds/1/closing", {}).is_success
    assert "Standings · After round 1" in words(viewer.get(evening).text)
    assert director.post(f"{path}/rounds", {"tables": [{"table": "1", "parties": [[1], [3]]}], "byes": [2, 4, 5]}).is_success
    assert "Round 2 · find your table" in words(viewer.get(evening).text)


def test_places_are_revealed_from_below_one_by_one_also_after_the_end(evening: str, viewer: Caller, director: Caller):
    path, desk = f"/v1/tournaments/{evening.split('/')[2]}", f"{evening.removesuffix('wall')}desk?step=hall"
    assert director.post(f"{path}/prizes", {"funds": [{"category": None, "amounts": [100, 60]}]}).is_success
    for act, body in (("PUT rounds/1/tables/2/result", {"points": [30, 8]}), ("rounds/1/closing", {}), ("ending", {"how": "finished"})):
        assert director.post(below(path, act), body).is_success, act
    seen = []
    for hidden in (None, 2, 1, 0):
        assert director.call("PUT", f"{path}/wall", json={"show": "prizes", "hidden": hidden}).is_success
        rows = viewer.get(evening).text.partition('id="rows"')[2]
        next = re.search("Show place .*?(?=<)", director.get(desk).text)
        seen.append((re.findall(r"Entrant \d|Prize: \d+", rows), next and next.group()))
    lines = [f"Entrant {line['entrant']}" for line in viewer.get(f"{path}/standings").json()["lines"]]
    assert seen == [
        (lines[3:], f"Show place 3: {lines[2]}"),
        (lines[2:], f"Show place 2: {lines[1]}"),
        ([lines[1], "Prize: 60", *lines[2:]], f"Show place 1: {lines[0]}"),
        ([lines[0], "Prize: 100", lines[1], "Prize: 60", *lines[2:]], None),
    ]


def test_it_is_for_whoever_may_read_the_tournament(evening: str, service: Service):
    assert service.caller(None).get(evening).status_code == 401
