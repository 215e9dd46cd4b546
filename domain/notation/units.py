"""Units, of which a move is spelled, and tokens, into which a line is cut."""

from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.effects import Plain

Move: TypeAlias = dict[str, Plain]

Role: TypeAlias = Literal["played", "used", "free"]
"""``played``: the first card typed is this one, and it stays named in short forms. ``used``: those that a move uses are named all or none
(NOT-3). ``free``: may always be left out, as long as the meaning is clear."""

Sign: TypeAlias = Literal["x", "-", "=", "+", "^", "#", "@", "?", "~", ".", "y", "n", "resign"]
"""The signs of all games, by the English spelling. ``*`` is a card, ``!`` begins told cards."""

_ENGLISH: dict[str, Sign] = {sign: sign for sign in get_args(Sign)}

SIGNS: dict[str, dict[str, Sign]] = {"en": _ENGLISH, "de": {"j": "y", "aufgeben": "resign", **_ENGLISH}}
"""The text typed for each sign, by language; the written form comes first. English words are read in German, too."""

WRITTEN: dict[str, dict[Sign, str]] = {
    language: {sign: next(typed for typed, meant in signs.items() if meant == sign) for sign in signs.values()}
    | {answer: next(typed for typed, meant in signs.items() if meant == answer).upper() for answer in ("y", "n")}
    for language, signs in SIGNS.items()
}
"""Answers with capitals, as the ranks of cards."""


class CardUnit(Struct, frozen=True, tag="card", tag_field="unit"):
    """A card. ``card`` may also be a rank alone where the alphabet knows it so. ``joined``: no blank stands before it in the full form."""

    card: Card
    role: Role = "used"
    joined: bool = False


class SignUnit(Struct, frozen=True, tag="sign", tag_field="unit"):
    """A sign. ``stays``: it is never left out, not even where the move is the only one."""

    sign: Sign
    joined: bool = False
    stays: bool = False


class NumberUnit(Struct, frozen=True, tag="number", tag_field="unit"):
    """A number as it is said: counted out loud from 1, seats from 0."""

    number: int
    joined: bool = True
    role: Role = "free"


Unit: TypeAlias = CardUnit | SignUnit | NumberUnit


class CardToken(Struct, frozen=True):
    """A card as it was typed: every face of the deck that it may be.

    ``at`` is its place in the line, ``apart`` whether a blank (or nothing) stands before it: a blank ends a group.
    """

    faces: frozenset[Card]
    text: str
    at: int = 0
    apart: bool = False


class SignToken(Struct, frozen=True):
    sign: Sign
    at: int = 0
    apart: bool = False


class NumberToken(Struct, frozen=True):
    number: int
    at: int = 0
    apart: bool = False


Token: TypeAlias = CardToken | SignToken | NumberToken
Cut: TypeAlias = tuple[Token, ...]
"""A line in tokens, in one of the ways in which it can be cut."""


def cards_of(cut: Cut) -> tuple[CardToken, ...]:
    return tuple(token for token in cut if isinstance(token, CardToken))


def one_face(token: CardToken, preferred: tuple[Card, ...] = ()) -> Card:
    """Return the face that a card without all its suits most likely means: the first of those that lie there, else any."""
    return next((card for card in preferred if card in token.faces), None) or min(token.faces)
