"""Pages name those who sat there in the round that they show, and never those of today; standings say who was replaced."""

import pytest

from tests.api.conftest import Caller
from tests.api.tournament import announced, opened, paired, scored

NAMES = ("Jon Bauer", "Mia Fischer", "Uwe Wolf", "Lea Lang")
Tournament = tuple[str, str]


@pytest.fixture
def evening(director: Caller) -> Tournament:
    """The address of a tournament, and of its page. Jon plays round 1, Yara for him in round 2, Zoe in round 3 alone."""
    path = announced(director, rounds=4, scoring={"by": "points"})
    members = [director.post("/v1/players", {"name": name}).json()["player"] for name in (*NAMES, "Yara Sommer", "Zoe Graf")]
    director.post(f"{path}/entries", {"entries": [{"players": [one]} for one in members[:4]]})
    paired(director, path, [[1], [2]], [[3], [4]])
    for game in opened(director, path).values():
        scored(director, game, 21, 8)
    director.post(f"{path}/rounds/1/closing", {})
    director.post(f"{path}/entries/1/substitution", {"players": [members[4]]})
    paired(director, path, [[1], [3]], [[2], [4]])
    for table in ("1", "2"):
        director.put(f"{path}/rounds/2/tables/{table}/result", {"points": [7, 3]})
    director.post(f"{path}/rounds/2/closing", {})
    director.post(f"{path}/entries/1/substitution", {"players": [members[5]], "back_from": 4})
    paired(director, path, [[1], [4]], [[2], [3]])
    return path, f"/t/{path.rpartition('/')[2]}"


def text(caller: Caller, page: str, begin: str, end: str) -> str:
    told: str = caller.get(page).text
    return told.partition(begin)[2].partition(end)[0]


@pytest.mark.parametrize(("round", "name"), [(1, "Jon Bauer"), (2, "Yara Sommer"), (3, "Zoe Graf")])
def test_a_round_shows_who_sat_there(evening: Tournament, director: Caller, round: int, name: str):
    _, page = evening
    others = {"Jon Bauer", "Yara Sommer", "Zoe Graf"} - {name}
    tables = text(director, f"{page}?round={round}", '<ul class="tables">', "</ul>\n")
    drawer = text(director, f"{page}/desk?step=playing&round={round}&table=1", 'id="drawer-title"', "</details>")
    wall = director.get(f"{page}/wall?show=tables&round={round}").text
    for shown in (tables, drawer, wall):
        assert name in shown
        assert [other for other in others if other in shown] == []


def test_standings_say_who_was_replaced_and_who_came_for_a_round(evening: Tournament, director: Caller):
    path, page = evening
    (line,) = [line for line in director.get(f"{path}/standings").json()["lines"] if line["entrant"] == 1]
    assert (line["shown"], line["note"]) == (["Yara Sommer"], "for Jon Bauer from round 2; Zoe Graf in round 3")
    assert (
        "(für Jon Bauer ab Runde 2; Zoe Graf in Runde 3)"
        in director.get(f"{path}/standings?format=html", headers={"Accept-Language": "de"}).text
    )
    assert "for Jon Bauer from round 2; Zoe Graf in round 3" in director.get(f"{path}/standings?format=csv").text
    for shown in (page, f"{page}/desk?step=standings"):
        assert "(for Jon Bauer from round 2; Zoe Graf in round 3)" in director.get(shown).text
    assert "(for Jon" not in director.get(f"{path}/standings?round=1&format=html").text


def test_a_substitute_of_the_round_gets_a_code_as_all_who_play(evening: Tournament, director: Caller):
    devices = director.get(f"{evening[1]}/desk?step=devices").text
    assert [f">{name}</option>" in devices for name in ("Yara Sommer", "Zoe Graf", "Mia Fischer", "Jon Bauer")] == [True, True, True, False]


def test_opponents_of_a_round_go_by_the_names_of_that_round(evening: Tournament, director: Caller):
    _, page = evening
    mia = text(director, page, 'data-numbers="2"', "</details>")
    assert "Round 1, Table 1: Jon Bauer" in mia


def test_all_who_sat_on_a_seat_in_a_round_are_named(evening: Tournament, director: Caller):
    path, page = evening
    game = opened(director, path, 3)["1"]
    for dealer in (0, 1):
        director.post(f"/v1/games/{game}/hands", {"dealer": dealer, "result": {"points": [4, 3]}})
        director.post(f"/v1/games/{game}/players", {"seat": 0, "player": "guest"})
    (seat, _) = director.get(f"{path}/rounds/3").json()["tables"][0]["seats"]
    assert ([one["shown"] for one in seat["earlier"]], seat["player"]) == (["Zoe Graf"], "guest")
    assert "Zoe Graf → " in director.get(f"{page}?round=3").text
