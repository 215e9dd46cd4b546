"""The page of a tournament: what stands on it, to whom; and the parts of a bracket that fit on a wall."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from api.common.live.change_feed import SharedReads
from api.common.pages.shell import render_page
from api.http.request import part_of
from api.pages.tournament_page import BracketColumn, BracketLayout, split_bracket
from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.people import register
from tests.api.tournament import announced, entered, opened, paired, scored
from tests.api.web import browser


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def evening(director: Caller, recorder: Caller) -> str:
    """Four players of whom 1 and 3 won the first round, and the second is paired; the name of the tournament."""
    path = announced(director, title="Club night", tie_breaks=["buchholz"], seed="page")
    entered(director, path, 4)
    paired(director, path, [[1], [2]], [[3], [4]])
    games = opened(recorder, path)
    scored(director, games["1"], 21, 8)
    scored(director, games["2"], 21, 17)
    assert director.post(f"{path}/rounds/1/closing", {}).status_code == 201
    paired(director, path, [[1], [3]], [[2], [4]])
    return path.rpartition("/")[2]


def test_it_shows_the_newest_round_and_the_standings(evening: str, viewer: Caller):
    text = words(viewer.get(f"/t/{evening}").text)
    assert "Club night" in text
    assert "Round 2 playing" in text
    assert "Table 1" in text
    assert "After round 1" in text


def test_standings_with_results_of_the_round_in_play_say_so(evening: str, viewer: Caller, recorder: Caller, director: Caller):
    scored(director, opened(recorder, f"/v1/tournaments/{evening}", 2)["1"], 21, 8)
    text = words(viewer.get(f"/t/{evening}").text)
    assert "As it stands in round 2 · 1 table still open" in text
    assert "After round 1" not in text


def test_another_round_is_asked_for_by_its_number(evening: str, viewer: Caller):
    text = words(viewer.get(f"/t/{evening}?round=1").text)
    assert "Round 1 closed" in text
    assert "Watch the game" in text
    assert viewer.get(f"/t/{evening}?round=3").status_code == 404


def test_each_figure_leads_down_to_the_games(evening: str, viewer: Caller):
    page = viewer.get(f"/t/{evening}").text
    games = [game["game"] for table in viewer.get(f"/v1/tournaments/{evening}/rounds/1").json()["tables"] for game in table["games"]]
    assert len(games) == 2
    assert all(page.count(f'href="/g/{game}"') >= 2 for game in games)


def test_my_table_is_found_by_part_of_a_name_or_by_number(evening: str, director: Caller):
    name = director.get(f"/v1/tournaments/{evening}/entries").json()["entrants"][2]["shown"][0]
    for wanted in (name, name[1:].upper(), "3"):
        assert "Table 1, seat 2" in words(director.get(f"/t/{evening}?find={wanted}").text)
    assert "No player here is called “nobody else”" in words(director.get(f"/t/{evening}?find=nobody else").text)


def test_a_tournament_that_is_over_seats_nobody_and_one_from_a_list_has_no_wall(evening: str, director: Caller):
    headings = ("Find my table", "Find a name", "Wall for the hall")
    assert [one in words(director.get(f"/t/{evening}").text) for one in headings] == [True, False, True]
    assert director.post(f"/v1/tournaments/{evening}/ending", {"how": "cancelled", "reason": "the hall is flooded"}).status_code == 201
    assert [one in words(director.get(f"/t/{evening}").text) for one in headings] == [False, True, True]
    past = "event,date,game,no,name,rank\nSpring,2023-03-05,casino,a,Anna,2\nSpring,2023-03-05,casino,b,Bert,1\n"
    imported = director.call("POST", "/v1/past-results", content=past.encode(), headers={"Content-Type": "text/csv"}).json()
    spring = words(director.get(f"/t/{imported['tournaments'][0]['tournament']}?find=a").text)
    assert [one in spring for one in (*headings, "no table in this round")] == [False, True, False, False]


def test_who_shows_nothing_sees_what_is_published_and_search_engines_only_that(evening: str, service: Service, director: Caller):
    nobody = service.caller(None)
    assert nobody.get(f"/t/{evening}").status_code == 401
    assert 'content="noindex"' in director.get(f"/t/{evening}").text
    assert director.post(f"/v1/tournaments/{evening}/publication", {"publication": "aliases"}).status_code == 201
    page = nobody.get(f"/t/{evening}")
    assert (page.status_code, page.headers["cache-control"]) == (200, "public, max-age=1")
    assert "noindex" not in page.text
    assert '<meta property="og:title" content="Club night">' in page.text


def test_it_speaks_german(evening: str, viewer: Caller):
    page = viewer.get(f"/t/{evening}", headers={"Accept-Language": "de"})
    assert page.headers["content-language"] == "de"
    assert "Meinen Tisch finden" in page.text


def test_blanks_look_for_nobody(evening: str, viewer: Caller):
    for empty in ("%20", ""):
        page = viewer.get(f"/t/{evening}?find={empty}")
        assert (page.status_code, 'class="found"' in page.text) == (200, False)


def test_a_lot_is_told_by_the_digits_it_is_drawn_with(director: Caller, recorder: Caller):
    path = announced(director, tie_breaks=["lots"], seed="lot")
    entered(director, path, 2)
    paired(director, path, [[1], [2]])
    scored(director, opened(recorder, path)["1"], 21, 21)
    (value, *_), *_ = ([one["value"] for one in line["tie_breaks"]] for line in director.get(f"{path}/standings").json()["lines"])
    page = director.get(f"/t/{path.rpartition('/')[2]}").text
    assert f"{int(value):012x}"[:4] in page
    assert str(value) not in page


# The page is rendered once for all who see alike


@pytest.fixture
def for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shared is not read again because time passed."""
    monkeypatch.setattr("api.common.shared_reads._OTHERS", 3600.0)


def test_a_shared_page_shows_what_was_recorded_named_and_withdrawn_since(evening: str, service: Service, director: Caller, for_long: None):
    nobody, path = service.caller(None), f"/v1/tournaments/{evening}"
    assert director.post(f"{path}/publication", {"publication": "names"}).status_code == 201
    assert "1.0" not in words(nobody.get(f"/t/{evening}").text)
    register(director, "p1", "Anna Müller")
    assert "Anna Müller" in nobody.get(f"/t/{evening}").text
    scored(director, opened(director, path, 2)["1"], 21, 8)
    assert "As it stands in round 2" in words(nobody.get(f"/t/{evening}").text)
    assert director.post(f"{path}/publication", {"publication": "aliases"}).status_code == 201
    assert "Anna Müller" not in nobody.get(f"/t/{evening}").text
    assert director.post(f"{path}/publication", {"publication": "no"}).status_code == 201
    assert nobody.get(f"/t/{evening}").status_code == 401


def test_readers_who_see_differently_share_no_page(evening: str, service: Service, director: Caller, for_long: None):
    path = f"/v1/tournaments/{evening}"
    register(director, "p2", "Berta Maier")
    game = opened(director, path, 2)["1"]
    assert director.post(f"{path}/publication", {"publication": "aliases"}).status_code == 201
    tables = {f"table {table}": {"tournament": evening, "table": table} for table in ("1", "2")}
    readers = {"director": director, "nobody": service.caller(None)}
    for name, scope in {"all": "everything", **tables}.items():
        issued = director.post("/v1/tokens", {"role": "recorder", "scope": scope}).json()
        readers[name] = replace(director, token=issued["secret"])
    pages = {name: reader.get(f"/t/{evening}").text for name, reader in readers.items()}
    for name, reader in readers.items():
        part_of(service.client.app, SharedReads).tables._reads.clear()  # so that nothing is shared
        assert reader.get(f"/t/{evening}").text == pages[name]
    assert "Berta Maier" not in pages["nobody"]
    assert {name for name, page in pages.items() if f'href="/g/{game}/record"' in page} == {"director", "all", "table 1"}
    assert {name for name, page in pages.items() if f'href="/t/{evening}/desk"' in page} == {"director"}


def test_players_share_a_page_on_which_each_finds_their_own_session(
    evening: str, service: Service, director: Caller, for_long: None, monkeypatch: pytest.MonkeyPatch
):
    made = []

    def noting(*given: Any) -> bytes:
        made.append(given)
        return render_page(*given)

    monkeypatch.setattr("api.common.pages.shell.render_page", noting)
    phones, wanted = [browser(service) for _ in range(2)], {"role": "player", "scope": {"tournament": evening}}
    for number, phone in enumerate(phones, 1):
        phone.enter(director.post("/v1/codes", {**wanted, "player": f"p{number}", "label": f"<{number}>"}).json()["code"])
    pages = [phone.get(f"/t/{evening}").text for phone in (*phones, phones[0])]
    sessions = [re.search(r'data-session="([^"]+)"', page)[1] for page in pages]  # pyrefly: ignore[unsupported-operation]
    own = [phone.get("/v1/me").json()["principal"] for phone in phones]
    assert (len(made), pages[0], [f"&lt;{number}&gt;" in pages[number - 1] for number in (1, 2)]) == (1, pages[2], [True, True])
    assert (sessions[0] != sessions[1], own[0] != own[1], "&lt;1&gt;" in pages[1]) == (True, True, False)


def bracket(*matches: int) -> BracketLayout:
    """A bracket with as many matches in each of its rounds."""
    regular = all(one == 2 * next for one, next in pairwise(matches))
    columns = [BracketColumn(f"round {n}", [{"match": f"{n}.{place}"} for place in range(count)]) for n, count in enumerate(matches, 1)]
    return BracketLayout(columns, regular, {"match": "third"})


def shown(part: BracketLayout) -> str:
    columns: list[list[str]] = [[match["match"] for match in column.matches] for column in part.columns]
    return " | ".join(" ".join(matches) for matches in columns)


@pytest.mark.parametrize(
    ("matches", "parts"),
    [
        ((4, 2, 1), ["1.0 1.1 1.2 1.3 | 2.0 2.1 | 3.0"]),
        ((8, 4, 2, 1), ["1.0 1.1 1.2 1.3 | 2.0 2.1 | 3.0", "1.4 1.5 1.6 1.7 | 2.2 2.3 | 3.1", "3.0 3.1 | 4.0"]),
        ((5, 3, 1), ["2.0 2.1 2.2 | 3.0"]),
    ],
)
def test_a_part_has_four_matches_at_most_and_what_they_lead_to(matches: tuple[int, ...], parts: list[str]):
    found = split_bracket(bracket(*matches))
    assert [shown(part) for part in found] == parts
    assert [part.third_place is not None for part in found] == [False] * (len(parts) - 1) + [True]
