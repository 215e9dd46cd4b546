"""The director's desk: the steps that it offers in each state of a tournament."""

import re

from api.pages.directing.fields import directing_words
from domain.events.tournament import NAMES
from tests.api.conftest import Caller
from tests.api.markup import part, rows, words
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.evening.book import below


def desk(director: Caller, path: str, step: str) -> str:
    """Return the page of a step."""
    answer = director.get(f"/t/{path.rpartition('/')[2]}/desk?step={step}")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_a_tournament_that_is_over_can_be_reopened_at_the_desk_until_it_is_published(director: Caller):
    path = announced(director)
    order, in_public = f'data-to="{path}/reopening"', "It is published as it ended."
    assert order not in desk(director, path, "standings")
    director.post(f"{path}/ending", {"how": "cancelled"})
    for step in ("standings", "publish"):
        assert (order in desk(director, path, step), in_public in desk(director, path, step)) == (True, False)
    director.post(f"{path}/publication", {"publication": "aliases"})
    for step in ("standings", "publish"):
        assert (order in desk(director, path, step), in_public in desk(director, path, step)) == (False, True)


def test_games_are_opened_at_chosen_tables_of_those_that_lack_one(director: Caller):
    path = announced(director, format="manual")
    entered(director, path, 6)
    paired(director, path, [[1], [2]], [[3], [4]], [[5], [6]])
    offered = re.compile(r'name="tables\[\]" data-kind="name" value="([^"]+)" checked')
    assert offered.findall(desk(director, path, "start")) == ["1", "2", "3"]
    assert director.post(f"{path}/rounds/1/games", {"tables": ["2"]}).status_code == 200
    assert offered.findall(desk(director, path, "start")) == ["1", "3"]
    opened(director, path)
    assert offered.findall(desk(director, path, "start")) == []


def test_what_was_typed_is_compared_with_what_was_recorded_differences_first(director: Caller):
    path = announced(director, format="manual")
    entered(director, path, 18)
    paired(director, path, *([[one], [one + 1]] for one in range(1, 18, 2)))
    games, tables = opened(director, path), f"{path}/rounds/1/tables"
    for table in ("1", "2", "3", "4", "9"):
        scored(director, games[table], 3, 5)
    given = {"adjustments": [{"party": 0, "points": 7}], "reason": "as on paper"}
    assert director.post(f"/v1/games/{games['6']}/adjustments", given).status_code == 201
    for table, act, body in (
        ("1", "PUT result", {"points": [3, 5]}),
        ("2", "PUT result", {"points": [5, 3]}),
        ("3", "PUT result", {"points": [5, 3], "side": 5}),
        ("4", "forfeit", {"absent": [7]}),
        ("5", "PUT result", {"points": [2, 1], "side": 9}),
        ("8", "PUT result", {"points": [4, 4]}),
    ):
        assert director.post(below(f"{tables}/{table}", act), body).status_code == 201
    page = desk(director, path, "reconcile")
    assert "5 of 9 tables differ" in page
    assert [words(heading) for heading in re.findall(r'<h3 id="reconcile-\d+">.*?</h3>', page)] == [
        "Table 2 differ: the paper counts",
        "Table 3 differ: the record counts",
        "Table 4 forfeited, and recorded",
        "Table 5 typed, not confirmed",
        "Table 6 record not finished",
        "Table 7 nothing yet",
        "Table 8 only typed",
        "Table 9 only recorded",
        "Table 1 the same",
    ]
    assert [rows(table) for table in part(page, "<table>")][:2] == [
        [["Name", "Paper", "Record", "Counts"], ["Entrant 3", "5", "3", "5"], ["Entrant 4", "3", "5", "3"]],
        [["Name", "Paper", "Record", "Counts"], ["Entrant 5", "5", "3", "3"], ["Entrant 6", "3", "5", "5"]],
    ]


def test_the_log_says_in_words_who_did_what_the_newest_first(director: Caller):
    path = announced(director, format="manual")
    entered(director, path, 3)
    paired(director, path, [[1], [2]], byes=[3])
    for act, body in (
        ("PUT rounds/1/tables/1/result", {"points": [3, 5]}),
        ("PUT rounds/1/tables/1/result", {"points": [5, 3]}),
        ("rounds/1/change", {"tables": [{"table": "1", "parties": [[2], [1]]}], "as_played": True, "reason": "they told us"}),
        ("entries/3/withdrawal", {}),
    ):
        assert director.post(below(path, act), body).status_code == 201
    told = [words(one) for one in re.findall(r"<li><time [^>]*>[^<]*</time>(.*?)</li>", desk(director, path, "log"), re.DOTALL)]
    by = f" {told[-1].removeprefix('Tournament announced').strip()}".rstrip()
    assert [one.removesuffix(by).strip() for one in told] == [
        "Entrant 3 withdrawn from round 2 on",
        "Round 1 put right, who really sat at table 1 they told us",
        "Round 1, table 1: 5 : 3 (before: 3 : 5)",
        "Round 1, table 1: 3 : 5",
        "Round 1 paired by hand",
        "Entered: Entrant 1, Entrant 2, Entrant 3",
        "Tournament announced",
    ]


def test_the_log_has_words_for_every_event_but_the_clubs_that_a_draw_found():
    said = directing_words("en")
    named = {name.partition("/")[0] for name in NAMES.values()}
    assert {name for name in named if f"log.{name}" not in said} == {"clubs.grouped"}
