"""Whole hands recorded on the page, by keyboard and by touch."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Page, expect

from domain.games import RULESETS
from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.record.hands import BEGINS, lines
from tests.pages.visitors import PHONE, Likes, Visitor


def begun(client: httpx.Client, ruleset: str) -> str:
    begins = BEGINS[ruleset]
    return str(done(client.post("/v1/games", json={"ruleset": ruleset, "seats": begins.seats, "options": begins.options}))["game"])


def recording(visitor: Visitor, game: str) -> Page:
    page = visitor.go(f"/g/{game}/record")
    expect(page.locator("body[data-ready]")).to_be_attached()
    return page


@contextmanager
def counted(visitor: Visitor) -> Iterator[list[str]]:
    """The methods of what is asked of the service meanwhile."""
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.method) if "/v1/" in request.url else None)
    yield asked


class Keys:
    """A keyboard that counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.pressed += 1

    def line(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.pressed += len(text)
        self.press("Enter")


def typed(page: Page, ruleset: str) -> Keys:
    """A hand as its recorder types it who sees no card that is not laid open."""
    keys = Keys(page)
    for line in lines(ruleset):
        if command := re.fullmatch(r"/(dealer|seat) (\d)", line):
            choose(keys, command[1], command[2])
        else:
            keys.line(line)
    return keys


def choose(keys: Keys, what: str, seat: str) -> None:
    """Who deals, or for whom the next line is."""
    if what == "seat":
        expect(keys.page.locator("#seat")).to_be_visible()
        while keys.page.locator("#who").inner_text() != f"Seat {seat}":
            keys.press("F2")
        return
    lit = keys.page.locator("#will")
    expect(lit).to_contain_text("deals")
    while not lit.inner_text().startswith(f"↵ Seat {seat}"):
        keys.press("ArrowUp")
        keys.press("Enter")


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_whole_hand_of_every_game_is_recorded_by_keyboard(visit: Visit, house: Served, ruleset: str):
    visitor = visit(secret=house.token)
    with house.client() as client:
        game = begun(client, ruleset)
        page = recording(visitor, game)
        typed(page, ruleset)
        expect(page.locator("#log")).to_contain_text("Hand 1 is over", timeout=10_000)
        assert done(client.get(f"/v1/games/{game}/audit"))["verdict"] == "sound"
    visitor.wrong.clear()  # browsers complain of each refusal that asks
