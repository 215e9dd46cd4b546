"""Moves as people enter them who see what the page shows: they are chosen among those that stand there by keyboard, or told by touch."""

from collections.abc import Sequence
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

_STATE = """async before => {
  const busy = () => document.getElementById("line").ariaBusy === "true" && !document.querySelector("#trouble:not([hidden]) button");
  const says = id => document.getElementById(id).innerText;
  const stands = () => [document.getElementById("line").value, ...["will", "choices", "pad", "trouble", "log"].map(says)].join("|");
  // A tap that came too late is taken by nothing.
  const waits = times => busy() || (stands() === before && times < 1000);
  for (let times = 0; waits(times); times += 1) await new Promise(done => setTimeout(done, 10));
  return {chips: [...document.querySelectorAll("[role=option]")].map(one => one.innerText), stands: stands()};
}"""
_PLACE = """([selector, place]) => {
  const found = [...document.querySelectorAll(selector)].at(place);
  found.scrollIntoView({block: "nearest", inline: "nearest"});
  const {x, y, width, height} = found.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


class Fingers:
    """Of somebody who never opens the keyboard of his phone."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def tell(self, page: Page) -> None:
        """Any card that nobody has seen: its rank and then its suit, where there is one."""
        before, keys = _shown(page)["stands"], "#pad button:enabled:not([aria-label])"
        place = self._chance.randrange(page.locator(keys).count())
        page.touchscreen.tap(*page.evaluate(_PLACE, [keys, place]))
        _shown(page, before)


def play_known(page: Page, moves: int) -> None:
    """So many moves of a hand whose deck is known, by keyboard."""
    for _ in range(moves):
        expect(page.locator("[role=option]").first).to_be_visible()
        _take(page, _usual(_shown(page)["chips"]))


def _usual(chips: Sequence[str]) -> int:
    """A move that brings the hand on: what can be melded is."""
    return next((place for place, words in enumerate(chips) if words.startswith("Lays")), 0)


def _take(page: Page, place: int) -> None:
    """One of the moves that stand there."""
    before = _shown(page)["stands"]
    lit = page.locator("[role=option]").evaluate_all("all => all.findIndex(one => one.ariaSelected === 'true')")
    for _ in range(place - lit):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    _shown(page, before)


def _shown(page: Page, before: str | None = None) -> Any:
    """What the page shows once it waits for somebody and something else stands there than before."""
    return page.evaluate(_STATE, before)
