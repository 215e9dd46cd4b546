"""Chapters of the page ``RULES.md`` of a package, with their numbered rules, the decisions with their reasons, and worked examples."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from domain.texts import FALLBACK, list_numbered_rules

_DECIDED = re.compile(r"^- (?!\*\*)(.+) \(([A-Z]+-[0-9]+(?:, [A-Z]+-[0-9]+)*)\)$", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Decided(Struct, frozen=True):
    """What was decided where the source leaves a question open, with the reason. ``rules``: the numbers of the rules that say it."""

    text: str
    rules: tuple[str, ...]


class RuleSection(Struct, frozen=True):
    """A chapter. ``lead``: the paragraphs before the rules, as Markdown. The first chapter of a page has the title of the page.

    ``decided``: the lines ``- text (ABC-1, ABC-2)``, of which players read what the source leaves open.
    """

    title: str
    lead: str
    rules: tuple[tuple[str, str], ...]
    decided: tuple[Decided, ...] = ()


class CardRow(Struct, frozen=True):
    """A row of cards of an example, by their codes. ``result``: the cards that then lie together."""

    where: Literal["hand", "played", "lying", "result"]
    cards: tuple[str, ...]


class Example(Struct, frozen=True):
    """An example. ``rule``: beside which it stands. ``legal``: whether the played cards may be played; ``None`` where none are."""

    rule: str
    lay: tuple[CardRow, ...]
    told: dict[str, str]
    legal: bool | None = None


@cache
def load_sections(package: str, language: str = FALLBACK) -> tuple[RuleSection, ...]:
    page = "RULES.md" if language == FALLBACK else f"RULES.{language}.md"
    _, *parts = _HEADING.split((files(package) / page).read_text(encoding="utf-8"))
    texts = dict(list_numbered_rules(package, language))
    return tuple(_build_section(title, body, texts) for title, body in zip(parts[::2], parts[1::2], strict=True))


def _build_section(title: str, body: str, texts: dict[str, str]) -> RuleSection:
    numbers = re.findall(r"^- \*\*([A-Z]+-[0-9]+)\*\* ", body, re.MULTILINE)
    decided = tuple(Decided(text, tuple(cited.split(", "))) for text, cited in _DECIDED.findall(body))
    return RuleSection(title, body.partition("\n- ")[0].strip(), tuple((number, texts[number]) for number in numbers), decided)


@cache
def examples(package: str) -> tuple[Example, ...]:
    """Return the examples of the file ``examples.toml``; none where a package has none. Each has its texts in every language."""
    lying = files(package) / "examples.toml"
    if not lying.is_file():
        return ()
    return msgspec.convert(tomllib.loads(lying.read_text(encoding="utf-8"))["examples"], tuple[Example, ...])
