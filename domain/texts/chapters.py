"""Chapters of the page ``RULES.md`` of a package, with their numbered rules, and worked examples beside them."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from domain.texts import FALLBACK, list_numbered_rules

_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Chapter(Struct, frozen=True):
    """A chapter. ``lead``: the paragraphs before the rules, as Markdown. The first chapter of a page has the title of the page."""

    title: str
    lead: str
    rules: tuple[tuple[str, str], ...]


class Laid(Struct, frozen=True):
    """A row of cards of an example, by their codes. ``result``: the cards that then lie together."""

    where: Literal["hand", "played", "lying", "result"]
    cards: tuple[str, ...]


class Example(Struct, frozen=True):
    """An example. ``rule``: beside which it stands. ``legal``: whether the played cards may be played; ``None`` where none are."""

    rule: str
    lay: tuple[Laid, ...]
    told: dict[str, str]
    legal: bool | None = None


@cache
def chapters(package: str, language: str = FALLBACK) -> tuple[Chapter, ...]:
    page = "RULES.md" if language == FALLBACK else f"RULES.{language}.md"
    _, *parts = _HEADING.split((files(package) / page).read_text(encoding="utf-8"))
    texts = dict(list_numbered_rules(package, language))
    return tuple(_chapter(title, body, texts) for title, body in zip(parts[::2], parts[1::2], strict=True))


def _chapter(title: str, body: str, texts: dict[str, str]) -> Chapter:
    numbers = re.findall(r"^- \*\*([A-Z]+-[0-9]+)\*\* ", body, re.MULTILINE)
    return Chapter(title, body.partition("\n- **")[0].strip(), tuple((number, texts[number]) for number in numbers))


@cache
def examples(package: str) -> tuple[Example, ...]:
    """Return the examples of the file ``examples.toml``; none where a package has none. Each has its texts in every language."""
    lying = files(package) / "examples.toml"
    if not lying.is_file():
        return ()
    return msgspec.convert(tomllib.loads(lying.read_text(encoding="utf-8"))["examples"], tuple[Example, ...])
