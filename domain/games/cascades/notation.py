"""Notation of Cascades moves: ``4wl -1``, ``.``, ``resign``. Tiers are counted from 1, the upper one."""

from collections.abc import Iterator

from domain.cards import Card, Seat
from domain.games.cascades.decktet import SUITS, rank, suits
from domain.games.cascades.options import Options
from domain.games.cascades.table import CascadesTable
from domain.notation import letters
from domain.notation.syntax import NotationSyntax


def _split(card: Card) -> tuple[str, str]:
    return rank(card), suits(card)


_NUMBERS = {number: number for number in "23456789"} | {"A": "A"}
_SUITS = {suit: suit.lower() for suit in SUITS}
_LETTERS = letters.Letters(
    {
        "en": letters.CardLetters(_NUMBERS | {"PAWN": "P", "COURT": "CO c", "CROWN": "CR c"}, _SUITS, _split),
        "de": letters.CardLetters(_NUMBERS | {"PAWN": "B p", "COURT": "H co c", "CROWN": "K cr c"}, _SUITS | {"L": "b l"}, _split),
    }
)
"""Bauer, Hof, Krone; Blatt."""


def _units_of_move(_: object, move: letters.Move) -> tuple[letters.Unit, ...]:
    match move:
        case {"type": "play", "card": str(card), "tier": int(tier)}:
            return (letters.CardUnit(card, "played"), letters.SignUnit("-"), letters.NumberUnit(tier + 1))
        case {"type": "turn"}:
            return (letters.SignUnit("."),)
        case _:
            return (letters.SignUnit("resign", stays=True),)


def _literal(_: object, lying: CascadesTable, __: Seat, cut: letters.Cut) -> Iterator[letters.Move]:
    match cut:
        case (letters.SignToken(sign="."),):
            yield {"type": "turn"}
        case (letters.SignToken(sign="resign"),):
            yield {"type": "resign"}
        case (letters.CardToken() as card,) | (letters.CardToken() as card, letters.SignToken(sign="-")):
            yield {"type": "play", "card": _face(lying, card), "tier": 0}
        case (letters.CardToken() as card, letters.SignToken(sign="-"), letters.NumberToken(number=number)) | (
            letters.CardToken() as card,
            letters.NumberToken(number=number),
        ):
            yield {"type": "play", "card": _face(lying, card), "tier": number - 1}


def _face(lying: CascadesTable, token: letters.CardToken) -> Card:
    return letters.one_face(token, tuple(lying.available))


GRAMMAR = NotationSyntax[Options, CascadesTable](
    letters=_LETTERS,
    signs=("-", ".", "resign"),
    spell=_units_of_move,
    literal=_literal,
    numbered=("-",),
    bare=True,
    plain="turn",
    order=("play", "turn", "resign"),
    words={
        "en": {".": "turn,turns,draw,draws", "resign": "resign,resigns,give up"},
        "de": {".": "umdrehen,aufdecken,ziehen", "resign": "aufgeben"},
    },
    examples=({"type": "play", "card": "4-WL", "tier": 0}, {"type": "turn"}, {"type": "resign"}),
)
