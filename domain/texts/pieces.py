"""Sentences in pieces: words, and between them the seats that they mention, so that names can stand in their place.

The words that go with a seat stand in the catalogue that all share (``before.seat``). Of ``zwischen den Sitzen {tied}`` they are the last
two, so that it reads "zwischen Anna und Berta" and not "zwischen den Anna und Berta".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias


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
    told = value if isinstance(value, list | tuple) else (value,)
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
