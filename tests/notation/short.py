"""Lines as short as a person types them: the shortest one that means a move and no other (NOT-10). It tells the hand (NOT-11)."""

from collections.abc import Iterator
from itertools import combinations

from domain.cards import Card, Seat
from domain.notation.letters import CardLetters, CardUnit, Move, NumberUnit, SignUnit, Unit
from domain.notation.meaning import meaning_of
from domain.notation.syntax import Meaning, MoveContext, Notation, NotationRulebook
from domain.notation.tokenizer import NotReadable
from domain.notation.writing import join_units, notation_of, text_of, write_move
from domain.table import Table

MOST_LEFT_OUT = 6
"""Signs and numbers of one move that are tried to be left out in every combination; of more, all or none."""


def write_short(rulebook: NotationRulebook, table: Table, seat: Seat, move: Move, language: str) -> str:
    """Where no shorter line has one meaning it is the full form."""
    return shortest(MoveContext(notation_of(rulebook), table, seat), move, language)


def shortest(situation: MoveContext, move: Move, language: str) -> str:
    notation = situation.notation
    full, same = write_move(notation, move, language), notation.same(move)
    for line in dict.fromkeys(sorted(shorter(notation, move, language), key=len)):
        if len(line) >= len(full):
            break
        meaning = _meaning(situation, line, language)
        if meaning.sure and [notation.same(meant) for meant in meaning.meant] == [same]:
            return line
    return full


def _meaning(situation: MoveContext, line: str, language: str) -> Meaning:
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
            yield join_units((text, unit.joined) for unit, text in zip(kept, texts, strict=True))


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


def texts_of(alphabet: CardLetters, unit: Unit, language: str) -> tuple[str, ...]:
    """As a unit stands in short forms: a card with fewer suits first."""
    return _cards(alphabet, unit.card) if isinstance(unit, CardUnit) else (text_of(alphabet, unit, language).lower(),)


def _cards(alphabet: CardLetters, card: Card) -> tuple[str, ...]:
    """The shortest first, with all suits last."""
    rank, suits = alphabet.split(card) if card not in alphabet.ranks else (card, "")
    first = alphabet.ranks[rank].split()[0]
    some = (chosen for number in range(len(suits) + 1) for chosen in combinations(suits, number))
    return tuple((first + "".join(alphabet.suits[suit].split()[0] for suit in chosen)).lower() for chosen in some)
