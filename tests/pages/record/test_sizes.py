"""The recorder's page in little room: a phone upright and on its side, a small one, and letters of twice the size."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import httpx
import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page, expect

from tests.deploy.serving import Served, done
from tests.pages.record.hands import BEGINS
from tests.pages.record.played import Fingers
from tests.pages.record.test_record import recording
from tests.pages.record.test_touch import ON_A_PHONE, known
from tests.pages.visitors import Visitor, visiting


class Size(Struct, frozen=True):
    width: int
    height: int
    letters: int = 100
    target: int = 44


SIZES = (Size(390, 664), Size(360, 640, target=36), Size(844, 390), Size(390, 664, letters=200))
SMALLEST = SIZES[1:3]
"""Upright and on its side; in them it fits least."""


def meld(*melds: str) -> dict[str, Any]:
    return {"type": "meld", "melds": [{"rank": cards[0], "cards": cards.split()} for cards in melds]}


def trail(card: str) -> dict[str, Any]:
    return {"type": "trail", "card": card}


def discarded(card: str) -> dict[str, Any]:
    return {"type": "discard", "card": card}


DRAW = {"type": "draw"}
UNKNOWN: dict[str, tuple[dict[str, Any], Sequence[dict[str, Any]]]] = {
    "alcasan": ({}, [{"type": "choose_open", "cards": cards} for cards in (["1", "9", "fire"], ["2", "5", "4"])]),
    "canasta": (
        {"hand:1": ["3H"], "pile": ["8C"]},
        [
            *(DRAW, meld("KS KS KH KH KD", "AS AS AH"), discarded("4S")),
            *(DRAW, meld("QS QS QH QH", "JS JS JH 2S"), discarded("5S")),
            *(DRAW, meld("9S 9S 9H 9H", "8S 8S 8H"), discarded("6S")),
            *(DRAW, meld("6S 6H 6H", "5H 5H 5D"), discarded("7S"), DRAW),
        ],
    ),
    "cascades": ({"stock": ["?", "2-WL", "CROWN-L"]}, []),
    "casino": ({"board": ["9C", "7C", "8H", "2D"]}, [trail(card) for card in ("KS", "JH", "QD", "4C", "TS", "5H")]),
    "quartett-classic": ({"hand:0": ["B1", "B2", "B3", "B4"]}, []),
    "quartett-trumpf": ({}, []),
}
"""By ruleset, the cards that are told with the deal, and moves that bring much onto the table."""


def unknown(client: httpx.Client, ruleset: str) -> str:
    """A game in the middle of a hand of which nobody knows what was not laid open."""
    begins, (told, moves) = BEGINS[ruleset], UNKNOWN[ruleset]
    opening = {"ruleset": ruleset, "seats": begins.seats, "options": begins.options}
    game = str(done(client.post("/v1/games", json=opening))["game"])
    done(client.post(f"/v1/games/{game}/hands", json={"dealer": begins.seats - 1, "deck": "unknown", "known": told}))
    for move in moves:
        seat = done(client.get(f"/v1/games/{game}/table"))["to_act"][0]
        done(client.post(f"/v1/games/{game}/moves", json={"seat": seat, "move": move}))
    return game


class Found(Struct, frozen=True):
    """What is wrong in a size: ``hidden`` parts of the table, cards with ``small`` signs, ``narrow`` targets. ``felt``: its part of the
    height."""

    felt: float
    hidden: list[str]
    small: list[str]
    narrow: list[str]
    sideways: int


_TRIES = 20
_MEASURE = """async target => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
  const stage = document.getElementById("stage"), seen = stage.getBoundingClientRect();
  const all = (room, sought) => [...room.querySelectorAll(sought)].filter(one => one.checkVisibility());
  const lies = one => one.closest("[data-zone]")?.dataset.zone ?? one.innerText;
  const beyond = ({left, top, right, bottom}) => Math.max(seen.left - left, seen.top - top, right - seen.right, bottom - seen.bottom) > 1;
  const height = one => one.getBoundingClientRect().height;
  const signs = card => [...card.querySelectorAll(".face:not(.joker) :is(.rank, text)")].map(height).filter(Boolean);
  const sides = one => ["width", "height"].map(side => Math.round(one.getBoundingClientRect()[side]));
  return {
    felt: seen.height / innerHeight,
    hidden: all(stage, ".card, .sitter").filter(one => beyond(one.getBoundingClientRect())).map(lies),
    small: all(stage, ".card").filter(one => signs(one).length && Math.max(...signs(one)) < 11).map(one => one.dataset.code),
    narrow: all(document, "button, a, input, summary, [role=option]")
      .filter(one => !one.matches(".skip") && getComputedStyle(one).pointerEvents !== "none" && Math.min(...sides(one)) < target)
      .map(one => `${one.id || one.innerText} ${sides(one)}`),
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}"""


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})
    page.evaluate(
        "letters => { document.documentElement.style.fontSize = letters; dispatchEvent(new Event('resize')); }", f"{size.letters}%"
    )  # whose letters become larger, his window becomes smaller, and is told so


def measure(page: Page, size: Size) -> Found:
    """Measure until the table has been fitted to the new size: on a busy machine it takes more than three frames."""
    found = Found(**page.evaluate(_MEASURE, size.target))
    for _ in range(_TRIES - 1):
        if found == Found(found.felt, [], [], [], 0):
            break
        found = Found(**page.evaluate(_MEASURE, size.target))
    return found


def fits(page: Page, sizes: Sequence[Size] = SIZES) -> None:
    for size in sizes:
        resize(page, size)
        found = measure(page, size)
        assert found.felt >= 0.4, size
        assert found == Found(found.felt, [], [], [], 0), size


_PLACES = """() => [...document.querySelectorAll("#pad button, #line, #clear, #go, #undo, #more, #stage")]
  .filter(one => one.checkVisibility()).map(one => Object.values(one.getBoundingClientRect().toJSON()).map(Math.round).join())"""


@pytest.fixture(scope="module")
def phone(browser: Browser, house: Served) -> Iterator[Visitor]:
    """Of one recorder, who goes from game to game."""
    with visiting(browser, house.url, ON_A_PHONE, house.token) as found:
        yield found


@pytest.mark.parametrize("ruleset", sorted(BEGINS))
def test_a_table_lies_in_sight_in_every_size_and_nothing_is_too_small_or_jumps(phone: Visitor, house: Served, ruleset: str):
    fingers = Fingers(Random(ruleset))
    with house.client() as client:
        page = recording(phone, unknown(client, ruleset))
    expect(page.locator("[aria-busy=false][role=combobox]")).to_be_attached()
    fits(page)
    resize(page, SIZES[0])
    places = page.evaluate(_PLACES)
    while page.locator("#pad").is_visible() and not page.locator("#line").input_value():
        fingers.tell(page)
    left = page.evaluate(_PLACES)
    assert left in (places, [places[0], *places[-len(left) + 1 :]])  # the pad is away while only an answer is chosen
    fits(page, SMALLEST)


@pytest.mark.parametrize("ruleset", ["canasta", "quartett-classic"])
def test_a_long_hand_that_is_known_lies_in_sight_and_rare_acts_stand_behind_one_button(phone: Visitor, house: Served, ruleset: str):
    with house.client() as client:
        page = recording(phone, known(client, ruleset))
    fits(page)
    page.locator("#more").tap()
    fits(page, SMALLEST)
