"""Cards that are typed one after another, where a question or a deck asks for nothing else."""

from collections.abc import Iterator, Mapping, Set
from typing import TypeAlias

from domain.cards import HIDDEN, Card

Typed: TypeAlias = Mapping[str, Set[Card]]
"""What may be typed for a card, and every card that it may be."""


class NoCard(Exception):
    """From this place of the text on no card can be read."""

    def __init__(self, rest: str) -> None:
        super().__init__(rest)
        self.rest = rest


def faces(text: str, typed: Typed) -> tuple[Card, ...]:
    """The cards, each named so that it can be no other; ``"?"`` is one that nobody saw. Blanks and commas are free. Raises ``NoCard``."""
    text = text.lower().replace(",", " ")
    known = {**{form: next(iter(cards)) for form, cards in typed.items() if len(cards) == 1}, "?": HIDDEN}
    read = next(_read(text, known), None)
    if read is None:
        raise NoCard(_unread(text, known))
    return read


def _read(text: str, known: Mapping[str, Card]) -> Iterator[tuple[Card, ...]]:
    """Every way to read the text, longer names of cards first."""
    text = text.lstrip()
    if not text:
        yield ()
        return
    for length in range(_longest(known), 0, -1):
        if (card := known.get(text[:length])) is not None and len(text) >= length:
            yield from ((card, *rest) for rest in _read(text[length:], known))


def _unread(text: str, known: Mapping[str, Card]) -> str:
    """What is left where reading does not get on."""
    text = text.lstrip()
    rests = [_unread(text[length:], known) for length in range(_longest(known), 0, -1) if text[:length] in known and len(text) >= length]
    return min(rests, key=len, default=text)


def _longest(known: Mapping[str, Card]) -> int:
    return max(map(len, known))
