"""Moves as people enter them who see what the page shows: they are chosen among those that stand there, by keyboard or by touch."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Protocol

from playwright.sync_api import Page

_STATE = """async before => {
  const busy = () => document.getElementById("line").ariaBusy === "true" && !document.querySelector("#trouble:not([hidden]) button");
  const says = id => document.getElementById(id).innerText;
  const stands = () => [document.getElementById("line").value, ...["will", "choices", "pad", "trouble", "log"].map(says)].join("|");
  // A tap that came too late is taken by nothing.
  const waits = times => busy() || (stands() === before && times < 1000);
  for (let times = 0; waits(times); times += 1) await new Promise(done => setTimeout(done, 10));
  return {
    typed: document.getElementById("line").value,
    pad: !document.getElementById("pad").hidden,
    says: says("will"),
    chips: [...document.querySelectorAll("[role=option]")].map(one => one.innerText),
    trouble: Boolean(document.querySelector("#trouble:not([hidden]) button")),
    stands: stands(),
  };
}"""
_PLACE = """([selector, place]) => {
  const found = [...document.querySelectorAll(selector)].at(place);
  found.scrollIntoView({block: "nearest", inline: "nearest"});
  const {x, y, width, height} = found.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


class Hands(Protocol):
    """What somebody enters with."""

    def take(self, page: Page, place: int) -> None:
        """One of the moves that stand there."""


class Fingers:
    """Of somebody who never opens the keyboard of his phone. ``taps``: how often he touched the glass."""

    def __init__(self, chance: Random) -> None:
        self.taps = 0
        self._chance = chance

    def tap(self, page: Page, selector: str, place: int = 0) -> None:
        before = _shown(page)["stands"]
        page.touchscreen.tap(*page.evaluate(_PLACE, [selector, place]))
        self.taps += 1
        _shown(page, before)

    def take(self, page: Page, place: int) -> None:
        self.tap(page, "[role=option]", place)

    def tell(self, page: Page) -> None:
        """Any card that nobody has seen: its rank and then its suit, where there is one."""
        keys = "#pad button:enabled:not([aria-label])"
        self.tap(page, keys, self._chance.randrange(page.locator(keys).count()))


class Keyboard:
    def take(self, page: Page, place: int) -> None:
        before = _shown(page)["stands"]
        lit = page.locator("[role=option]").evaluate_all("all => all.findIndex(one => one.ariaSelected === 'true')")
        for _ in range(place - lit):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        _shown(page, before)


def play_known(page: Page, hands: Hands, moves: int) -> None:
    """So many moves of a hand whose deck is known."""
    for now in _going_on(page, moves):
        if now["chips"]:
            hands.take(page, _usual(now["chips"]))


def _usual(chips: Sequence[str]) -> int:
    """A move that brings the hand on: what can be melded is, and a card that nobody knows is laid down."""
    return next((place for place, words in enumerate(chips) if words.startswith(("Lays", "Trails"))), 0)


def _going_on(page: Page, often: int) -> Iterator[Any]:
    """What the page shows, so often."""
    for _ in range(often):
        yield _shown(page)


def _shown(page: Page, before: str | None = None) -> Any:
    """What the page shows once it waits for somebody and something else stands there than before."""
    return page.evaluate(_STATE, before)
