"""Moves as people enter them who see what the page shows: they are chosen among those that stand there, by keyboard or by touch."""

import re
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

    def button(self, page: Page, room: str, words: str) -> None:
        """The one in that room that says so."""
        said = page.locator(f"{room} > *").evaluate_all("all => all.map(one => one.ariaLabel ?? one.innerText.trim().split(/\\s/)[0])")
        self.tap(page, f"{room} > *", [one.lower() for one in said].index(words.lower()))

    def line(self, page: Page, text: str) -> None:
        """A line of cards and signs, as somebody else would type it."""
        for rank, suit, sign in re.findall(r"([2-9tjqka])([shdc])|([^\s])", text):
            if rank:
                self.button(page, "#pad", "10" if rank == "t" else rank)
                self.tap(page, f"#pad button:has([data-code='{rank.upper()}{suit.upper()}'])")
            elif sign == "*":
                self.tap(page, "#pad button:has([data-code='JK'])")
            else:
                self.tap(page, "#more")
                self.button(page, "#signs", sign)
        self.tap(page, "#go")


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


_FEW = 20
"""So many moves are looked through; where there are more, and by who was refused once, the card is told first."""


def play_unknown(page: Page, fingers: Fingers, taps: int) -> None:
    """Part of a hand of which nobody knows a card that does not lie open: any card may be the one that is told. What cannot be, as the
    arbiter could see from what was taken before, is refused and dropped."""
    few = _FEW
    for now in _going_on(page, taps):
        asks_on = re.search(r"(\d+) of \d+\.", now["says"])
        if now["trouble"]:
            few = 0
            fingers.tap(page, "#trouble button", -1)
        elif now["pad"] and (asks_on or not now["typed"]) and (not now["chips"] or len(now["chips"]) > few):
            fingers.tell(page)
        elif now["chips"]:
            fingers.take(page, _usual(now["chips"]))
        elif now["typed"] and "It stood" in now["says"]:
            fingers.tap(page, "#clear")
        elif now["typed"]:
            fingers.tap(page, "#go")


def _usual(chips: Sequence[str]) -> int:
    """A move that brings the hand on: what can be melded is, and a card that nobody knows is laid down."""
    return next((place for place, words in enumerate(chips) if words.startswith(("Lays", "Trails"))), 0)


def play_lines(page: Page, fingers: Fingers, entered: Sequence[str]) -> None:
    """Lines that were recorded before."""
    for _, line in zip(_going_on(page, len(entered)), entered, strict=True):
        fingers.line(page, line)


def play_quartets(page: Page, fingers: Fingers, hands: list[set[str]], taps: int) -> None:
    """Part of a hand of Quartett that only those who play it know: whoever is to act asks for what he knows to be there."""
    answer = None
    for now in _going_on(page, taps):
        if answer and len(now["chips"]) == 3:
            fingers.button(page, "#choices", answer)
            answer = None
        elif not answer and now["says"].startswith("What did"):
            answer = _asked(page, fingers, hands)


def _asked(page: Page, fingers: Fingers, hands: list[set[str]]) -> str:
    """What is answered to the question that was tapped."""
    seat = int(page.locator("#who").inner_text().split()[-1])
    letters = {card[0] for card in hands[seat]}
    other, card = next((other, card) for other in range(len(hands)) if other != seat for card in sorted(hands[other]) if card[0] in letters)
    fingers.tap(page, f"#pad button:has([data-code='{card}'])")
    asks = page.locator("[role=option]").evaluate_all("all => all.map(one => one.innerText)")
    fingers.tap(page, "[role=option]", asks.index(f"Asks Seat {other + 1} for {card}"))
    hands[other].remove(card)
    hands[seat].add(card)
    quartet = {one for one in hands[seat] if one[0] == card[0]}
    if len(quartet) < 4:
        return "Yes"
    hands[seat] -= quartet
    return "Yes,"


def _going_on(page: Page, often: int) -> Iterator[Any]:
    """What the page shows, so often."""
    for _ in range(often):
        yield _shown(page)


def _shown(page: Page, before: str | None = None) -> Any:
    """What the page shows once it waits for somebody and something else stands there than before."""
    return page.evaluate(_STATE, before)
