"""Pages are accessible by themselves: axe finds nothing, and nothing is wider than the window, however they are looked at."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from domain.texts import LANGUAGES
from tests.api.markup import words
from tests.deploy.serving import done
from tests.pages.night import SERIES, TOURNAMENT, Night, night
from tests.pages.visitors import PHONE, WALL, Likes, Visitor, visiting

AT_NIGHT, BY_DAY = Likes(PHONE, "de", "dark"), Likes(WALL, "de", "light")
ROOMS = ("sheet", "ask", "desk")
COLOURFUL = ("show=pairings", f"/{TOURNAMENT}/desk", "/g/")
"""Parts of the addresses of pages on which all pairs of colours stand, of text and of what is behind it: only they are looked at by day."""
VIOLATIONS = {"resultTypes": ["violations"], "selectors": False}
"""Axe need not work out where it found what is right, and by which selector each node is found: that takes longer than to look."""
STEPS = {"enter&entrant=1": "#now", "draw": "#now", "playing&table=1": "#drawer", "standings": "#now", "publish": "#now", "devices": "#now"}
"""Of the desk, one of each kind, and its part of the page: a form beside a list, what is proposed, tiles with a drawer, a table, choices,
cards to print.
"""
SOME = ".contents, article > :nth-child(-n+60)"
"""Of the rules, which go on like this."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with night(tmp_path_factory.mktemp("night")) as found:
        yield found


def seen_by_all(night: Night) -> tuple[str, ...]:
    """A page of each kind that everybody may see."""
    wall = tuple(f"/t/{TOURNAMENT}/wall?show={show}" for show in ("pairings", "tables"))
    player = f"/p/{night.player}?tournament={TOURNAMENT}"
    return "/", "/in", f"/t/{TOURNAMENT}?find=a&round=1", *wall, player, f"/s/{SERIES}", "/statistics/casino"


def seen_by_officials(night: Night) -> tuple[str, ...]:
    """A page of each kind that only officials see."""
    desks = f"/t/{TOURNAMENT}/desk", f"/s/{SERIES}/desk"
    return "/me", "/ratings", f"/g/{night.playing}/record", "/new?what=tournament&ruleset=canasta", *desks, f"/g/{night.disputed}"


def complaints(page: Page) -> list[str]:
    """What axe finds, and whether something stands over the edge: on a phone at night; and by day on a wall."""
    by_day = _complaints(page, BY_DAY, {"runOnly": ["color-contrast"]}) if any(part in page.url for part in COLOURFUL) else []
    return [*by_day, *_complaints(page, AT_NIGHT, {})]


def _complaints(page: Page, likes: Likes, options: Mapping[str, Any], part: str = "body") -> Iterator[str]:
    page.set_viewport_size({"width": likes.size[0], "height": likes.size[1]})
    page.emulate_media(color_scheme="dark" if likes.theme == "dark" else "light")
    yield from (
        f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in Axe().run(page, part, {**VIOLATIONS, **options}).response["violations"]
    )
    width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width > room:
        yield f"{width} wide in a window of {room}"


def looked_at(visitor: Visitor, path: str, part: str | None = None) -> list[str]:
    page = visitor.go(path)
    if path.startswith("/g/"):
        expect(page.locator("body[data-ready]")).to_be_attached()
    return [f"{path}: {one}" for one in (_complaints(page, AT_NIGHT, {}, part) if part else complaints(page))]


def test_axe_finds_nothing_on_a_page_of_any_kind(browser: Browser, evening: Night):
    with visiting(browser, evening.house.url, AT_NIGHT) as visitor:
        found = [one for path in seen_by_all(evening) for one in looked_at(visitor, path)]
        found += looked_at(visitor, "/rules/alcasan", SOME)
    with visiting(browser, evening.house.url, AT_NIGHT, evening.players) as player:
        page = player.go("/me")
        for closed in page.locator(".me details:not([open]) > summary.button").all():
            closed.click()
        found += [f"/me: {one}" for one in complaints(page)]
    with visiting(browser, evening.house.url, AT_NIGHT, evening.secret) as official:
        found += [one for step, part in STEPS.items() for one in looked_at(official, f"/t/{TOURNAMENT}/desk?step={step}", part)]
        found += [one for path in seen_by_officials(evening) for one in looked_at(official, path)]
        for room in ROOMS:
            official.page.locator(f"#tab-{room}").click()
            expect(official.page.locator(f"#{room} > *").first).to_be_visible()
            found += [f"{room}: {one}" for one in _complaints(official.page, AT_NIGHT, {}, f"#{room}")]
    assert "\n".join(found) == ""


def test_axe_would_find_something(browser: Browser, evening: Night):
    with visiting(browser, evening.house.url, Likes()) as visitor:
        page = visitor.go("/in")
        page.locator("label[for=secret]").evaluate("label => label.remove()")
        assert complaints(page) != []


COUNTED_FROM_ZERO = re.compile(r"\b(?:[Ss]eats? 0|Sitz(?:e|en|es)?\b|[Pp]arty \d|Partei \d|[Pp]ositions? \d)")
"""Rules are apart: there a seat is one of the table, and has no name."""


def list_games(night: Night) -> tuple[list[str], list[str]]:
    """A game of each ruleset in each state, and of each ruleset one that is on."""
    with night.house.client(night.secret) as client:
        listed = done(client.get("/v1/games?limit=100"))["items"]
    one_each = {(game["ruleset"], game["state"], game["finished"]): game["id"] for game in listed}
    return list(one_each.values()), [id for (_, state, finished), id in one_each.items() if state == "open" and not finished]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_counts_seats_or_moves_as_programs_do(evening: Night, language: str):
    games, on = list_games(evening)
    rooms = [f"/g/{game}/{room}" for game in on for room in ("record", "devices", "shuffle")]
    sheets = [f"/v1/games/{game}/score-sheet?format=html" for game in games]
    seating = f"/v1/tournaments/{TOURNAMENT}/rounds/1/seating?format=html"
    public = [path for path in evening.public if "/rules" not in path]
    shown = [*public, *evening.directed, *(f"/g/{game}" for game in games), *rooms, *sheets, seating]
    found = []
    for secret, paths in ((evening.secret, shown), (evening.players, ("/", "/me"))):
        with evening.house.client(secret) as client:
            for path in paths:
                page = client.get(path, headers={"Accept": "text/html", "Accept-Language": language}, follow_redirects=True)
                assert page.status_code == 200, path
                found += [f"{path}: {one[0]}" for one in COUNTED_FROM_ZERO.finditer(words(page.text))]
    assert "\n".join(found) == ""
