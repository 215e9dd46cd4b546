"""Writing of a move as a line: the full form, for everybody (NOT-9)."""

from collections.abc import Iterable
from typing import TypeAlias

from domain.cards import Seat
from domain.notation.letters import WRITTEN, CardLetters, CardUnit, Move, NumberUnit, SignUnit, Unit
from domain.notation.syntax import Notation, NotationRulebook
from domain.table import Table


class NoNotation(Exception):
    """The game has no grammar: it is recorded from lists of moves."""


def notation_of(rulebook: NotationRulebook) -> Notation:
    if rulebook.notation is None:
        raise NoNotation
    return rulebook.notation


Before: TypeAlias = tuple[Table, Seat]
"""The table before a move, whole or as somebody sees it, and the seat that moves."""


def units(rulebook: NotationRulebook, move: Move, before: Before | None = None) -> tuple[Unit, ...]:
    """Return the units of the move, in the order of the full form. ``before``: as for ``write``."""
    return _notation_at(rulebook, before).units(move)


def write(rulebook: NotationRulebook, move: Move, language: str, before: Before | None = None) -> str:
    """Return the full form, which depends on nothing but the move and the open cards (NOT-9): everything public shows this one.

    Without ``before`` signs that depend on the table are chosen by the move alone.
    """
    return write_move(_notation_at(rulebook, before), move, language)


def _notation_at(rulebook: NotationRulebook, before: Before | None) -> Notation:
    notation = notation_of(rulebook)
    return notation.at(*before) if before else notation


def write_move(notation: Notation, move: Move, language: str) -> str:
    alphabet = notation.letters.of(language)
    return join_units((text_of(alphabet, unit, language), unit.joined) for unit in notation.units(move))


def text_of(alphabet: CardLetters, unit: Unit, language: str) -> str:
    match unit:
        case CardUnit(card=card):
            return alphabet.write_card(card)
        case SignUnit(sign=sign):
            return WRITTEN[language][sign]
        case NumberUnit(number=number):
            return str(number)


def join_units(parts: Iterable[tuple[str, bool]]) -> str:
    return "".join(text if close or not place else f" {text}" for place, (text, close) in enumerate(parts))
