"""A move as a line: the full form for everybody, the short form for whoever sees the hand (NOT-9 to NOT-11)."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeAlias

from domain.cards import Seat
from domain.notation.cutting import NotReadable
from domain.notation.grammar import Meaning, Notated, Notation, Situation
from domain.notation.letters import Alphabet
from domain.notation.meaning import meaning_of
from domain.notation.units import WRITTEN, CardUnit, Move, NumberUnit, SignUnit, Unit
from domain.table import Table

MOST_LEFT_OUT = 6
"""Signs and numbers of one move that are tried to be left out in every combination; of more, all or none."""


class NoNotation(Exception):
    """The game has no grammar: it is recorded from lists of moves."""


def notation_of(rulebook: Notated) -> Notation:
    if rulebook.notation is None:
        raise NoNotation
    return rulebook.notation


Before: TypeAlias = tuple[Table, Seat]
"""The table before a move, whole or as somebody sees it, and the seat that moves."""


def units(rulebook: Notated, move: Move, before: Before | None = None) -> tuple[Unit, ...]:
    """What the move is spelled of, in the order of the full form. ``before``: as for ``write``."""
    return _there(rulebook, before).units(move)


def write(rulebook: Notated, move: Move, language: str, before: Before | None = None) -> str:
    """The full form, which depends on nothing but the move and what lies open (NOT-9): everything public shows this one.

    Without ``before`` signs that say what lies there are chosen by the move alone.
    """
    return written(_there(rulebook, before), move, language)


def _there(rulebook: Notated, before: Before | None) -> Notation:
    notation = notation_of(rulebook)
    return notation.at(*before) if before else notation


def written(notation: Notation, move: Move, language: str) -> str:
    alphabet = notation.letters.of(language)
    return _joined((_text(alphabet, unit, language), unit.joined) for unit in notation.units(move))


def write_short(rulebook: Notated, table: Table, seat: Seat, move: Move, language: str) -> str:
    """The shortest line that means the move and no other (NOT-10). It tells the hand: only for whoever sees that hand (NOT-11).

    Where no shorter line has one meaning it is the full form.
    """
    return shortest(Situation(notation_of(rulebook), table, seat), move, language)


def shortest(situation: Situation, move: Move, language: str) -> str:
    notation = situation.notation
    full, same = written(notation, move, language), notation.same(move)
    for line in dict.fromkeys(sorted(shorter(notation, move, language), key=len)):
        if len(line) >= len(full):
            break
        meaning = _meaning(situation, line, language)
        if meaning.sure and [notation.same(meant) for meant in meaning.meant] == [same]:
            return line
    return full


def _meaning(situation: Situation, line: str, language: str) -> Meaning:
    """Of what was left out something may be needed to read the rest: then it means nothing."""
    try:
        return meaning_of(situation, line, language, most=1)
    except NotReadable:
        return Meaning()


def shorter(notation: Notation, move: Move, language: str) -> Iterator[str]:
    """Lines that leave something out, the parts of the full form in their order, whatever they mean."""
    spelled = notation.units(move)
    if not any(isinstance(unit, SignUnit) and unit.stays for unit in spelled):
        yield ""
    for kept in _parts_kept(spelled):
        for texts in _texts(notation, kept, language):
            yield "".join(texts)
            yield _joined((text, unit.joined) for unit, text in zip(kept, texts, strict=True))


def _parts_kept(spelled: tuple[Unit, ...]) -> Iterator[list[Unit]]:
    """The played card always, the used cards all or none, signs, numbers and free cards in every choice."""
    free = [unit for unit in spelled if _may_be_left_out(unit)]
    sizes = range(len(free) + 1) if len(free) <= MOST_LEFT_OUT else (0, len(free))
    for size in sizes:
        for left in combinations(range(len(free)), size):
            out = {id(free[place]) for place in left}
            kept = [unit for unit in spelled if id(unit) not in out]
            yield kept
            yield [unit for unit in kept if not isinstance(unit, CardUnit) or unit.role == "played"]


def _may_be_left_out(unit: Unit) -> bool:
    match unit:
        case SignUnit():
            return not unit.stays
        case CardUnit():
            return unit.role == "free"
        case NumberUnit():
            return True


def _texts(notation: Notation, kept: list[Unit], language: str) -> Iterator[list[str]]:
    """Cards with fewer suits first all alike, then suit by suit."""
    alphabet = notation.letters.of(language)
    forms = [texts_of(alphabet, unit, language) for unit in kept]
    yield [form[0] for form in forms]
    for place, form in enumerate(forms):
        yield from ([*(other[0] for other in forms[:place]), text, *(other[0] for other in forms[place + 1 :])] for text in form[1:])
    yield [form[-1] for form in forms]


def texts_of(alphabet: Alphabet, unit: Unit, language: str) -> tuple[str, ...]:
    """As a unit stands in short forms: a card with fewer suits first."""
    return alphabet.shorter(unit.card) if isinstance(unit, CardUnit) else (_text(alphabet, unit, language).lower(),)


def _text(alphabet: Alphabet, unit: Unit, language: str) -> str:
    match unit:
        case CardUnit(card=card):
            return alphabet.written(card)
        case SignUnit(sign=sign):
            return WRITTEN[language][sign]
        case NumberUnit(number=number):
            return str(number)


def _joined(parts: Iterable[tuple[str, bool]]) -> str:
    return "".join(text if joined or not place else f" {text}" for place, (text, joined) in enumerate(parts))
