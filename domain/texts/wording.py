"""Formatting of values in sentences: the words that every sentence may need come from the catalogue that all share.

A placeholder may ask for more than the value: ``{stock:# card|# cards}`` chooses by the number that it is, or of the items that it has, and
puts it in the place of ``#``; ``{types:q}`` puts every item that is text in quotes; ``{allowed:or}`` and ``{cards:and}`` join the last one
with a word. ``{position:+1}`` says a number as it is counted aloud, from 1, where values count from 0; ``{positions:+1 or}`` each of
several.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

LONGEST = 120  # characters of a value in a sentence: a client may have sent megabytes
_DEEPEST = 3
_COUNTED = "+1"
_WHOLE = re.compile("-?[0-9]{1,18}")

Words = Callable[[object], str | None]
"""Returns the words of a phrase, in the language of the sentence; ``None`` for anything else."""


class FormattedValue(str):
    """A value as it stands in a sentence."""

    items: Sequence[str] = ()
    codes: Sequence[bool] = (False,)
    """For each item (or the one value): whether programs write it like this, and it is no number, phrase or the like."""

    number: int | None = None
    words: Mapping[str, str] = {}

    def __format__(self, spec: str) -> str:
        if spec.startswith(_COUNTED):
            return format(self._count_from_one(), spec[len(_COUNTED) :].strip())
        if spec == "q":
            items = zip(self.items or (str(self),), self.codes, strict=True)
            return ", ".join(self.words["quoted"].format(text=item) if is_code else item for item, is_code in items)
        if spec in ("and", "or") and len(self.items) > 1:
            *others, last = self.items
            return f"{', '.join(others)} {self.words[spec]} {last}"
        if "|" in spec:
            one, many = spec.split("|")
            return (one if self.number == 1 else many).replace("#", str(self))
        return str(self)

    def _count_from_one(self) -> "FormattedValue":
        """Return whole numbers raised by one; anything else as it is."""
        raised = [str(int(item) + 1) if _WHOLE.fullmatch(item) else item for item in self.items or (str(self),)]
        counted = FormattedValue(", ".join(raised))
        counted.words, counted.codes = self.words, self.codes
        counted.items = raised if self.items else ()
        return counted


class Details(dict[str, FormattedValue]):
    """The details as they are shown; a missing one is shown as dots."""

    def __init__(self, detail: Mapping[str, object], texts: Mapping[str, str], words: Words) -> None:
        super().__init__({name: format_value(value, texts, words) for name, value in detail.items()})

    def __missing__(self, name: str) -> FormattedValue:
        return FormattedValue("…")


def format_value(value: object, texts: Mapping[str, str], words: Words = lambda value: None) -> FormattedValue:
    """Return the value as it is shown: lists with commas, bounded in length, and without values that only a program would understand."""
    made = FormattedValue(_short(_text(value, texts, words, _DEEPEST)))
    made.words = texts
    made.codes = tuple(isinstance(one, str) for one in (value if isinstance(value, (list, tuple)) and value else (value,)))[:LONGEST]
    if isinstance(value, (list, tuple)):
        made.items, made.number = tuple(_short(_text(item, texts, words, 1)) for item in value[:LONGEST]), len(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        made.number = value
    return made


def _text(value: object, texts: Mapping[str, str], words: Words, depth: int) -> str:
    if (said := words(value)) is not None:
        return said
    match value:
        case None | True | False | () | []:
            return texts[f"value.{'empty' if value in ((), []) else _NAMES[value]}"]
        case list() | tuple():
            return ", ".join(_text(item, texts, words, depth - 1) for item in value[:LONGEST]) if depth else "…"
        case dict():
            return texts["value.object"]
        case _:
            return str(value)


_NAMES = {None: "empty", True: "true", False: "false"}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


# Sentences in pieces: words, and between them the seats that they mention, so that names can stand in their place.


class Seated(NamedTuple):
    """Seats in a sentence, with the words that are used where no name is known."""

    seats: tuple[int, ...]
    words: str


Piece: TypeAlias = str | Seated


class Part(NamedTuple):
    """A part of a sentence. ``of``: the placeholder in it that names a seat, seats or, ``by_party``, a party; ``None`` of mere words."""

    text: str
    of: str | None = None
    by_party: bool = False


_ALONE = "winners"
"""A placeholder that names seats with all its words."""


@cache
def parts_of(text: str, seat_words: str, party_words: str) -> tuple[Part, ...]:
    """Return the parts of a text. ``seat_words``: the words before the number of a seat, each with ``|`` between them."""
    seated = re.compile(rf"\b(?:{seat_words}|(?P<party>{party_words})) \{{(?P<of>\w+)\}}|\{{(?P<alone>{_ALONE})\}}")
    end, parts = 0, list[Part]()
    for match in seated.finditer(text):
        parts += [Part(text[end : match.start()]), Part(match[0], match["of"] or match["alone"], match["party"] is not None)]
        end = match.end()
    return tuple(part for part in (*parts, Part(text[end:])) if part.text)


def seats_in(value: object, seats: int, parties: Sequence[tuple[int, ...]], *, by_party: bool) -> tuple[int, ...]:
    """Return the seats that a value names, of so many; none on damaged history, where there are no such seats."""
    told: Sequence[Any] = value if isinstance(value, (list, tuple)) else (value,)
    most = len(parties) if by_party else seats
    if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < most for one in told):
        return ()
    return tuple(seat for party in told for seat in parties[party]) if by_party else tuple(told)


def in_words(pieces: Iterable[Piece]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.words for piece in pieces)


def merge_words(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the pieces with all words between two seats in one piece."""
    words = ""
    for piece in pieces:
        if isinstance(piece, str):
            words += piece
            continue
        if words:
            yield words
        words = ""
        yield piece
    if words:
        yield words
