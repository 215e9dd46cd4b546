"""Pages are accessible by themselves: axe finds nothing, and nothing is wider than the window, however they are looked at."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.pages.night import Night, night
from tests.pages.visitors import PHONE, WALL, Likes, Visitor, visiting

AT_NIGHT, BY_DAY = Likes(PHONE, "de", "dark"), Likes(WALL, "de", "light")
ROOMS = ("sheet", "ask", "desk")
PLAIN = ("/in", "/offline", "/new", "find=", "step=")
"""Parts of the addresses of pages whose colours all stand on another page, too: by day that one is looked at."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with night(tmp_path_factory.mktemp("night")) as found:
        yield found


def complaints(page: Page) -> list[str]:
    """What axe finds, and whether something stands over the edge: on a phone at night; and by day on a wall."""
    by_day = [] if any(part in page.url for part in PLAIN) else _complaints(page, BY_DAY, {"runOnly": ["color-contrast"]})
    return [*by_day, *_complaints(page, AT_NIGHT, {})]


def _complaints(page: Page, likes: Likes, options: Mapping[str, Any]) -> Iterator[str]:
    page.set_viewport_size({"width": likes.size[0], "height": likes.size[1]})
    page.emulate_media(color_scheme="dark" if likes.theme == "dark" else "light")
    yield from (f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in Axe().run(page, options=options).response["violations"])
    width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width > room:
        yield f"{width} wide in a window of {room}"


def looked_at(visitor: Visitor, path: str) -> list[str]:
    page = visitor.go(path)
    if path.startswith("/g/"):
        expect(page.locator("body[data-ready]")).to_be_attached()
    return [f"{path}: {one}" for one in complaints(page)]


def test_axe_finds_nothing_on_any_page(browser: Browser, evening: Night):
    with visiting(browser, evening.house.url, AT_NIGHT) as visitor:
        found = [one for path in evening.public for one in looked_at(visitor, path)]
    with visiting(browser, evening.house.url, AT_NIGHT, evening.players) as player:
        page = player.go("/me")
        for closed in page.locator(".me details:not([open]) > summary.button").all():
            closed.click()
        found += [f"/me: {one}" for one in complaints(page)]
    with visiting(browser, evening.house.url, AT_NIGHT, evening.secret) as official:
        rooms = ("/", "/me", f"/g/{evening.playing}/record", *evening.directed, f"/g/{evening.disputed}")
        found += [one for path in rooms for one in looked_at(official, path)]
        for room in ROOMS:
            official.page.locator(f"#tab-{room}").click()
            expect(official.page.locator(f"#{room} > *").first).to_be_visible()
            found += [f"{room}: {one}" for one in complaints(official.page)]
    assert "\n".join(found) == ""


def test_axe_would_find_something(browser: Browser, evening: Night):
    with visiting(browser, evening.house.url, Likes()) as visitor:
        page = visitor.go("/in")
        page.locator("label[for=secret]").evaluate("label => label.remove()")
        assert complaints(page) != []
