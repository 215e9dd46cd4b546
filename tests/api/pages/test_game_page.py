"""The page of a game tells its reader what the API tells him, readable without script."""

import html
import json
import re
from typing import Any

import pytest

from api.http.request import Request
from api.pages.replayed import fetch_replay
from domain.games import RULESETS
from tests.api.conftest import Caller, Service
from tests.api.people import register
from tests.api.play import worked
from tests.api.tournament import announced, opened, paired


def read(service: Service, role: str | None, path: str, **headers: str) -> Any:
    return service.caller(role).get(path, headers={"Accept": "text/html", **headers})


def lines(page: Any) -> list[str]:
    return [html.unescape(line) for line in re.findall(r"<li id=\"p\d+\"[^>]*>(.*?)</li>", page.text, re.DOTALL)]


def described(director: Caller, game: str, places: list[str], **query: object) -> list[str]:
    """The captions of the replay with the names of places in them."""
    frames = director.get(f"/v1/games/{game}/replay", params={"limit": 1000, "names": True, **query}).json()["frames"]
    said = [
        [piece if isinstance(piece, str) else " and ".join(places[seat] for seat in piece["seats"]) for piece in one["said"]]
        for one in frames
    ]
    return ["".join(pieces) for pieces in said]


TWO, FOUR = ["Seat 1", "Seat 2"], ["North", "East", "South", "West"]


def facts(page: Any) -> dict[str, Any]:
    (given,) = re.findall(r'data-facts="([^"]*)"', page.text)
    found: dict[str, Any] = json.loads(html.unescape(given))
    return found


def views(page: Any) -> list[str]:
    return re.findall(r'<option value="((?:arbiter|public|seat:)[^"]*)"', page.text)


def one_table(director: Caller, tournament: str) -> str:
    """The game of two players who are new."""
    players = [f"of-{tournament.rpartition('/')[2]}-{number}" for number in (1, 2)]
    for player, name in zip(players, ("Anna Müller", "Bert"), strict=True):
        register(director, player, name)
    assert director.post(f"{tournament}/entries", {"entries": [{"players": [player]} for player in players]}).status_code == 201
    paired(director, tournament, [[1], [2]])
    return opened(director, tournament)["1"]


def test_it_tells_every_event_in_the_words_of_the_replay(service: Service):
    director = service.caller("director")
    game = worked(director, "hand-two-players-classic")
    assert lines(read(service, "director", f"/g/{game}")) == described(director, game, TWO)


@pytest.mark.parametrize("role", ["director", "viewer"])
def test_it_tells_nobody_a_card_that_the_replay_does_not_tell_him(service: Service, role: str):
    director = service.caller("director")
    game = director.open(ruleset="canasta", seats=4)
    director.deal(game, *sorted(RULESETS["canasta"].about().deck, key=lambda card: card.startswith("3")))
    seat = director.get(f"/v1/games/{game}/table").json()["turn"]
    assert director.post(f"/v1/games/{game}/moves", {"seat": seat, "move": {"type": "draw"}}).status_code == 201
    told = described(service.caller(role), game, FOUR)
    assert lines(read(service, role, f"/g/{game}")) == told
    assert ("draws a card" in told[-1]) is (role == "viewer")


def test_who_may_not_read_the_game_is_told_so_on_a_page(service: Service):
    game = service.caller("director").open()
    refused = read(service, None, f"/g/{game}")
    assert (refused.status_code, refused.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert read(service, "viewer", f"/g/{game}?view=arbiter").status_code == 403


def test_it_offers_the_views_that_would_not_be_refused(service: Service):
    director = service.caller("director")
    game = director.open()
    director.deal(game)
    assert views(read(service, "director", f"/g/{game}")) == ["arbiter", "public", "seat:0", "seat:1"]
    assert views(read(service, "viewer", f"/g/{game}")) == []
    assert director.post(f"/v1/games/{game}/disclosure", {"reason": "shown"}).status_code == 201
    assert views(read(service, "viewer", f"/g/{game}")) == ["arbiter", "public", "seat:0", "seat:1"]


def test_a_chosen_view_is_that_of_the_page_and_of_its_script(service: Service):
    director = service.caller("director")
    game = director.open()
    director.deal(game)
    page = read(service, "director", f"/g/{game}?view=seat:1")
    assert lines(page) == described(director, game, TWO, view="seat:1")
    assert (facts(page)["view"], facts(page)["chosen"]) == ("seat:1", "seat:1")


def test_names_stand_in_the_place_of_seats(service: Service):
    director = service.caller("director")
    register(director, "p-anna", "Anna Müller")
    game = director.open(players=["p-anna", None])
    director.deal(game, dealer=0)
    page = read(service, "director", f"/g/{game}", **{"Accept-Language": "de"})
    assert "<h1>Anna Müller – Platz 2</h1>" in page.text
    assert lines(page)[1].startswith("Spiel 1: Anna Müller gibt.")


def test_what_was_taken_back_is_struck_through_in_its_place(service: Service):
    director = service.caller("director")
    game = director.open()
    director.deal(game, "2C", "3C", "4C", "5C")
    table = director.get(f"/v1/games/{game}/table").json()
    director.trail(game, table["turn"], table["hands"][table["turn"]][0])
    assert director.post(f"/v1/games/{game}/rewinds", {"to": 2}).status_code == 201
    struck = lines(read(service, "director", f"/g/{game}"))[2]
    assert re.fullmatch(r"<s>Seat 1 .*\.</s>", struck)


def test_a_long_game_is_read_in_pages(service: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("api.pages.replayed.FRAMES", 20)
    game = worked(service.caller("director"), "hand-two-players-classic")
    whole = described(service.caller("director"), game, TWO)
    first = read(service, "director", f"/g/{game}")
    (following,) = re.findall(r'href="(\?view=arbiter&amp;after=20)"', first.text)
    second = read(service, "director", f"/g/{game}{html.unescape(following)}")
    assert [*lines(first), *lines(second)] == whole[:40]


def test_of_a_game_that_is_not_live_it_says_when_it_will_be_told(service: Service):
    director = service.caller("director")
    game = director.open(live=False)
    director.deal(game)
    assert "This game is shown once it is over." in read(service, "viewer", f"/g/{game}").text
    assert "This game is shown once it is over." not in read(service, "director", f"/g/{game}").text


def test_only_a_published_game_may_stand_in_a_frame_or_be_found_by_search(service: Service):
    director = service.caller("director")
    tournament = announced(director, format="manual")
    game = one_table(director, tournament)
    before = read(service, "director", f"/g/{game}?embed=1")
    assert director.post(f"{tournament}/publication", {"publication": "aliases"}).status_code == 201
    after = read(service, None, f"/g/{game}?embed=1")
    for page, ancestors, noindex in ((before, "'none'", True), (after, "*", False)):
        assert f"frame-ancestors {ancestors};" in page.headers["content-security-policy"]
        assert ('name="robots" content="noindex"' in page.text) is noindex
    assert "frame-ancestors 'none';" in read(service, None, f"/g/{game}").headers["content-security-policy"]


@pytest.fixture
def published(service: Service) -> tuple[str, str]:
    """A tournament that everybody may read, and its game."""
    director = service.caller("director")
    tournament = announced(director, format="manual")
    assert director.post(f"{tournament}/publication", {"publication": "names"}).status_code == 201
    return tournament, one_table(director, tournament)


def test_a_page_that_many_read_without_a_token_is_made_once(service: Service, published: tuple[str, str], monkeypatch: pytest.MonkeyPatch):
    made = []

    async def noting(request: Request, *asked: Any) -> Any:
        made.append(asked)
        return await fetch_replay(request, *asked)

    monkeypatch.setattr("api.pages.game_page.fetch_replay", noting)
    monkeypatch.setattr("api.common.shared_reads._OTHERS", 3600.0)
    path = f"/g/{published[1]}"
    pages = [read(service, role, path, **{"Accept-Language": "en"}).text for role in (None, None, None, "viewer")]
    assert (len(made), len(set(pages))) == (2, 1)
    assert read(service, None, path, **{"Accept-Language": "de"}).text not in pages


def test_a_shared_page_ends_with_what_is_recorded_and_what_is_published(
    service: Service, published: tuple[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("api.common.shared_reads._OTHERS", 3600.0)
    (tournament, game), director = published, service.caller("director")
    before = lines(read(service, None, f"/g/{game}"))
    director.deal(game)
    assert lines(read(service, None, f"/g/{game}"))[: len(before) + 1] > before
    assert director.post(f"{tournament}/publication", {"publication": "no"}).status_code == 201
    assert read(service, None, f"/g/{game}").status_code == 401


def test_a_shared_page_with_names_ends_when_only_aliases_are_published(
    service: Service, published: tuple[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("api.common.shared_reads._OTHERS", 3600.0)
    tournament, game = published
    assert "Anna Müller" in read(service, None, f"/g/{game}").text
    assert service.caller("director").post(f"{tournament}/publication", {"publication": "aliases"}).status_code == 201
    assert "Anna Müller" not in read(service, None, f"/g/{game}").text


def test_a_table_in_a_frame_has_nothing_to_enter(service: Service):
    game = service.caller("director").open()
    page = read(service, "director", f"/g/{game}?embed=1").text
    assert ('id="slider"' in page, 'class="bar"' in page, 'id="moves"' in page, "<form" in page) == (True, False, False, False)


def test_without_script_the_sheet_stands_on_the_page(service: Service):
    director = service.caller("director")
    game = worked(director, "hand-two-players-classic")
    director.post(f"/v1/games/{game}/adjustments", {"adjustments": [{"party": 1, "points": -2}], "reason": "Late."})
    page = read(service, "director", f"/g/{game}").text
    sheet = page[page.index("<table>") : page.index("</table>")]
    assert re.findall(r"<th scope=\"row\">(.*?)</th>|<td class=\"number\">(?:<b>)?(.*?)(?:</b>)?</td>", sheet) == [
        ("Hand 1", ""), ("", "8"), ("", "3"), ("Late.", ""), ("", ""), ("", "-2"), ("Totals", ""), ("", "8"), ("", "1"),
    ]  # fmt: skip
