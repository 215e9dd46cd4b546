"""Screen layout of a game's zones: hints for clients that draw its table, kept as data in the folder of the game.

A game states them in ``layout.toml``, in a table for each of its rulesets. Nothing here judges or hides anything.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

DeckKind: TypeAlias = Literal["french", "decktet", "alcasan", "quartett"]
"""The design of the cards; for a Quartett it is given by the definition of the deck."""

Spot: TypeAlias = Literal["seat", "party", "middle", "rows"]
Spread: TypeAlias = Literal["row", "mini", "pile", "last", "top", "group", "count"]

_PART = re.compile(r"\{(?:seat|party|n)\}|\*")


class Hint(Struct, frozen=True):
    """A hint for drawing the zones whose names fit the pattern. In a pattern ``{seat}`` and ``{party}`` are numbers of these, ``{n}`` is
    another number, ``*`` is any further part.

    ``place``: at the seat (of a party: at its first one), with the party, in the middle, or in a row of the middle for each ``{n}``, in the
    order of the hints. ``spread``: a row; a row of small cards; a pile with its number; a pile with its last few cards; a pile with its top
    card; zones of the same ``{n}`` as one group; the number alone. Marks of a zone are shown beside it.
    """

    zones: Annotated[str, Meta(examples=["hand:{seat}"])]
    place: Spot
    spread: Spread

    def fits(self, zone: str) -> bool:
        return _pattern(self.zones).fullmatch(zone) is not None


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """The layout of one ruleset. ``deck``: ``None`` for cards of which only the codes are known. A zone that no hint fits lies as a row in
    the middle, one that nobody sees as a pile; the first hint that fits holds.
    """

    deck: DeckKind | None = None
    lay: tuple[tuple[str, Spot, Spread], ...] = ()

    @property
    def hints(self) -> tuple[Hint, ...]:
        return tuple(Hint(*line) for line in self.lay)


@cache
def layout_of(package: str, key: str) -> Layout:
    """Return the layout that the package states for the ruleset with this key; an empty one if it states none."""
    file = files(package) / "layout.toml"
    said = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return msgspec.convert(said, dict[str, Layout]).get(key, Layout())


@cache
def _pattern(zones: str) -> re.Pattern[str]:
    literal = map(re.escape, _PART.split(zones))
    parts = [".+" if part == "*" else "[0-9]+" for part in _PART.findall(zones)]
    return re.compile("".join(text for pair in zip(literal, [*parts, ""], strict=True) for text in pair))
