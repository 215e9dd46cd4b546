"""Cards as the pages draw them, in a browser."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import json
from playwright.sync_api import Page

from api.common.pages.shell import address_of
from domain.games import RULESETS
from domain.games.quartett.options import load_installed_decks
from tests.domain.games.quartett.decks import planes, waters


class Deck(NamedTuple):
    """``drawn`` is what a page draws it from: the kind of its cards, or its definition."""

    name: str
    ruleset: str
    drawn: Any
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def decks() -> list[Deck]:
    """Every deck that is played with in any game, and two of somebody's own."""
    kinds = {key: (ruleset.about().deck_kind, ruleset.about().deck) for key, ruleset in RULESETS.items()}
    fixed = [Deck(key, key, kind, tuple(dict.fromkeys(cards))) for key, (kind, cards) in kinds.items() if kind != "quartett"]
    return [
        *fixed,
        *(quartett(json.decode(json.encode(definition))) for definition in (*load_installed_decks().values(), waters(), planes())),
    ]


def quartett(definition: dict[str, Any]) -> Deck:
    return Deck(definition["id"], "quartett-trumpf", definition, tuple(card["id"] for card in definition["cards"]))


class Drawn(NamedTuple):
    """``label``: what it is called for who does not see it. ``full`` and ``small``: both drawings, without what gives them colour.
    ``outside``: what stands over the edge of the card in either of them.
    """

    code: str
    label: str
    full: str
    small: str
    texts: list[str]
    outside: list[str]


def drawn(page: Page, deck: Deck, cards: Iterable[str | None] | None = None, **options: Any) -> list[Drawn]:
    """The cards of a deck, lying on the page."""
    told = page.evaluate(
        _DRAW, [address_of("cards.js"), address_of("cards.css"), list(cards or deck.cards), {"deck": deck.drawn, **options}]
    )
    return [Drawn(**one) for one in told]


_DRAW = """async ([script, style, codes, options]) => {
  if (!document.querySelector(`link[href="${style}"]`)) {
    const link = Object.assign(document.createElement("link"), {rel: "stylesheet", href: style});
    await new Promise(loaded => { link.addEventListener("load", loaded); document.head.append(link); });
  }
  const {card, need} = await import(script);
  await need(options.deck);
  const main = document.getElementById("main");
  const plain = node => node.outerHTML.replace(/ class="[^"]*"/g, "");
  const over = (face, part) => {
    const box = face.getBoundingClientRect();
    return [...face.querySelectorAll(`.${part} *`)].filter(node => {
      const own = node.getBoundingClientRect();
      return own.left < box.left - 0.5 || own.top < box.top - 0.5 || own.right > box.right + 0.5 || own.bottom > box.bottom + 0.5;
    }).map(node => node.outerHTML);
  };
  const lying = codes.map(code => card(code, options));
  main.replaceChildren(...lying);
  const [large, tiny] = ["300px", "40px"].map(size => {
    main.style.setProperty("--card", size);
    return lying.map(one => over(one.firstChild, size === "40px" ? "small" : "full"));
  });
  main.style.removeProperty("--card");
  return lying.map((one, n) => ({
    code: one.dataset.code,
    label: one.firstChild.getAttribute("aria-label"),
    full: plain(one.querySelector(".full")),
    small: plain(one.querySelector(".small")),
    texts: [...one.querySelectorAll(".full text")].map(text => text.textContent),
    outside: [...large[n], ...tiny[n]],
  }));
}"""
