"""Notation of alcasan moves: ``37F``, ``77``, ``x``, ``#2``, ``~``."""

from collections.abc import Iterator
from typing import cast

from domain.cards import Card, Seat
from domain.games.alcasan.kinds import AIR, EARTH, FIRE, KINDS
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable, down_zone
from domain.notation import letters
from domain.notation.syntax import FaceClause, MoveFaces, NotationSyntax

_NUMBERS = {kind: kind for kind in KINDS[:9]}
_LETTERS = letters.Letters(
    {
        "en": letters.CardLetters(_NUMBERS | {"4": "4 w", "10": "T 10", FIRE: "F", EARTH: "E", AIR: "A"}),
        "de": letters.CardLetters(_NUMBERS | {"4": "4 w", "10": "T z 10", FIRE: "F", EARTH: "E", AIR: "L a"}),
    }
)


def _units_of_move(_: object, move: letters.Move) -> tuple[letters.Unit, ...]:
    match move:
        case {"type": "choose_open" | "lay", "cards": cards}:
            return tuple(letters.CardUnit(card, joined=place > 0) for place, card in enumerate(cast("tuple[Card, ...]", cards)))
        case {"type": "reveal", "position": int(position)}:
            return (letters.SignUnit("#"), letters.NumberUnit(position + 1))
        case {"type": "take"}:
            return (letters.SignUnit("x"),)
        case _:
            return (letters.SignUnit("~"),)


def _literal(_: object, lying: AlcasanTable, __: Seat, cut: letters.Cut) -> Iterator[letters.Move]:
    match cut:
        case (letters.SignToken(sign="x"),):
            yield {"type": "take"}
        case (letters.SignToken(sign="~"),):
            yield {"type": "decline"}
        case (letters.SignToken(sign="#"), letters.NumberToken(number=number)) | (letters.NumberToken(number=number),):
            yield {"type": "reveal", "position": number - 1}
        case _ if all(isinstance(token, letters.CardToken) for token in cut):
            chooses = lying.table.phase == "choose_open"
            yield {"type": "choose_open" if chooses else "lay", "cards": tuple(letters.one_face(token) for token in letters.cards_of(cut))}


def _tells(_: object, __: AlcasanTable, seat: Seat, move: letters.Move, said: FaceClause) -> MoveFaces | None:
    """Return the card that is turned."""
    match move:
        case {"type": "reveal", "position": int(position)}:
            return MoveFaces({down_zone(seat, position): said.faces})
        case _:
            return None


GRAMMAR = NotationSyntax[Options, AlcasanTable](
    letters=_LETTERS,
    signs=("x", "#", "~"),
    spell=_units_of_move,
    literal=_literal,
    numbered=("#",),
    bare=True,
    order=("lay", "choose_open", "reveal", "take", "decline"),
    cured=("wrong_card_count",),
    tells=_tells,
    words={
        "en": {"x": "take,takes", "~": "decline,declines,pass,passes", "#": "turn,turns,reveal,reveals"},
        "de": {"x": "nehmen,nimm,nimmt", "~": "verzichten,verzichte,verzichtet,passen,passe,passt", "#": "aufdecken,umdrehen"},
    },
    examples=(
        {"type": "choose_open", "cards": ("3", "7", FIRE)},
        {"type": "lay", "cards": ("7", "7")},
        {"type": "reveal", "position": 1},
        {"type": "take"},
        {"type": "decline"},
    ),
)
