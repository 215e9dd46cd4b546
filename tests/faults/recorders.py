"""Recorders at their pages: a browser each, in which somebody types what is played, whatever the network does."""

import re
from random import Random
from typing import Any

import httpx
from msgspec import Struct
from playwright.sync_api import Browser, Page

from tests.deploy.serving import done
from tests.pages.visitors import Visitor

WAYS_TO_DECIDE = ("Go on with these", "Good", "Take theirs, drop ours")
"""What somebody presses who sees that the other device has recorded the same, the first that is offered."""


class Played(Struct, frozen=True):
    """A move, and the line that a recorder types for it."""

    seat: int
    move: dict[str, Any]
    line: str


def hand_of(client: httpx.Client, game: str, seed: int) -> list[Played]:
    """How the hand that was dealt in this game is played: found out in another game with the same deck."""
    history = done(client.get(f"/v1/games/{game}/history"))["events"]
    stock = next(effect[4] for effect in history[-1]["body"]["effects"] if effect[:2] == ["zone", "stock"])
    other = done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}))["game"]
    done(client.post(f"/v1/games/{other}/hands", json={"dealer": history[-1]["body"]["dealer"], "deck": stock[::-1]}))
    chance, played = Random(seed), list[Played]()
    while (seat := done(client.get(f"/v1/games/{other}/table"))["turn"]) is not None:
        legal = done(client.get(f"/v1/games/{other}/legal-moves", params={"seat": seat, "written": True}))
        move, line = chance.choice(list(zip(legal["moves"], legal["written"], strict=True)))
        done(client.post(f"/v1/games/{other}/moves", json={"seat": seat, "move": move}))
        played.append(Played(seat, move, line))
    return played


class Device:
    """``decided``: how often it asked. ``again``: how often a line came back."""

    def __init__(self, browser: Browser, url: str, code: str, address: str) -> None:
        self._visitor = Visitor(browser.new_context(viewport={"width": 1024, "height": 768}, locale="en-GB"), url)
        self._visitor.sign_in(code)
        self._address = address
        self.decided = self.again = 0
        self.open()

    @property
    def page(self) -> Page:
        return self._visitor.page

    def open(self) -> None:
        if self.page.is_closed():
            self._visitor.page = self._visitor.opened()
        self._visitor.go(self._address)
        self.page.locator("body[data-ready]").wait_for()
        self.page.locator("#link:visible").wait_for()

    def deal(self) -> None:
        """The service shuffles, as chosen by keyboard."""
        self.page.locator("[role=option]", has_text="Shuffle here").wait_for()
        while self.page.locator("[role=option][aria-selected=true]").inner_text() != "Shuffle here":
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")
        self.shows(0)

    def shows(self, acts: int) -> None:
        """Waits until so many acts of the hand are recorded here."""
        self.page.locator("#log li:not(.grey)").nth(1 + acts).wait_for()

    def stands(self) -> int:
        """How many acts of the hand stand in the log, with those that are not recorded yet."""
        return self.page.locator("#log li").count() - 2

    def type(self, line: str) -> bool:
        """Whether it was entered. Where a line came back, it is left: what was typed after it was not entered either."""
        field = self.page.locator("#line")
        field.focus()
        if field.input_value():
            self.page.keyboard.press("Escape")
            self.again += 1
            return False
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")
        return True

    def says(self) -> str:
        return self.page.locator("#link").inner_text()

    def kept(self) -> int:
        """How many it says are kept here, as soon as it has seen that nobody answers."""
        pill = self.page.locator("#link", has_text="kept here")
        pill.wait_for()
        return int(re.sub(r"\D", "", pill.inner_text()))

    def decide(self) -> None:
        for name in WAYS_TO_DECIDE:
            button = self.page.locator("#trouble").get_by_role("button", name=name, exact=True)
            if button.is_visible():
                button.click()
                self.decided += 1
                return

    def wait(self, seconds: float) -> None:
        self.page.wait_for_timeout(max(0, seconds) * 1000)

    def close(self) -> None:
        self.page.close()
