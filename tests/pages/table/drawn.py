"""Tables as the pages draw them, in a real browser, told zone by zone."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct
from playwright.sync_api import Page

from api.common.pages.shell import address_of
from domain.games import RULESETS
from tests.pages.table.told import Told, sent

NAMES = ("Anna", "Ben", "Cäcilia", "Dan", "Eva", "Farid", "Gül", "Hans")


class Felt(Struct):
    """What somebody sees of a table, and what he is read: ``zones`` in the order in which they lie, seats with their words."""

    zones: list["Drawn"]
    seats: list[str]
    signs: list[str]


class Drawn(Struct):
    """``cards``: their codes, those that shine with a star behind."""

    zone: str
    label: str
    cards: list[str]
    words: list[str]


def felts(page: Page, asked: Sequence[Mapping[str, Any]]) -> list[Felt]:
    """Draws tables, one after the other; the page has to be one of the service, whose policy then holds."""
    modules = [address_of(name) for name in ("table.js", "zones.js", "cards.js")]
    drawn = page.evaluate(_DRAW, [*modules, json.dumps(asked)])
    return msgspec.convert(drawn, list[Felt])


def at_the_end(game: Told, **differently: Any) -> dict[str, Any]:
    """To draw it as it stands in the end; how a page comes to that table is no matter."""
    return asking(game, frames=[{"effects": [], "start": game.shown[-1].start}], **differently)


def asking(game: Told, *, frames: Sequence[Any] | None = None, **differently: Any) -> dict[str, Any]:
    """To draw a game after its last frame, or after ``frames``."""
    (layout, kind), view = hints(game.ruleset), game.shown[-1].view
    options = {
        "layout": layout,
        "deck": definition(view["options"]["deck_def"]) if kind == "quartett" else kind,
        "names": [NAMES[seat % len(NAMES)] for seat in range(view["seats"])],
        "parties": view["parties"],
    }
    return {"frames": game.frames if frames is None else frames, "options": {**options, **differently}}


@cache
def hints(ruleset: str) -> tuple[Any, str | None]:
    """Where zones lie, and what the cards look like."""
    about = RULESETS[ruleset].about()
    return sent(about.layout), about.deck_kind


@cache
def installed(deck: str) -> Any:
    return msgspec.json.decode((files("domain.games.quartett") / "decks" / f"{deck}.json").read_bytes())


def definition(deck: Any) -> Any:
    return installed(deck) if isinstance(deck, str) else deck


_DRAW = """async ([table_js, zones_js, cards_js, asked]) => {
  const {draw} = await import(table_js), {EMPTY, litBy, follow} = await import(zones_js), {need} = await import(cards_js);
  const games = JSON.parse(asked), decks = {};  // one object a deck: its cards are drawn once then
  for (const {options} of games) await need((options.deck = decks[JSON.stringify(options.deck)] ??= options.deck));
  const texts = (node, which) => [...node.querySelectorAll(which)].map(found => found.textContent);
  const told = felt => ({
    zones: [...felt.querySelectorAll("[data-zone]")].map(zone => ({
      zone: zone.dataset.zone,
      label: zone.getAttribute("aria-label"),
      cards: [...zone.querySelectorAll("[data-code]")].map(card => card.dataset.code + (card.classList.contains("lit") ? "*" : "")),
      words: texts(zone, ".many, .what, .tag"),
    })),
    seats: [...felt.querySelectorAll(".seat")].map(seat => texts(seat, ".sitter > *").join(", ")),
    signs: texts(felt, ".signs > *"),
  });
  return games.map(({frames, options}) => {
    const table = frames.reduce(follow, EMPTY);
    const felt = draw(table, {sees: table.sees, lit: litBy(frames.at(-1).effects), ...options});
    document.querySelector("main").replaceChildren(felt);
    return told(felt);
  });
}"""
