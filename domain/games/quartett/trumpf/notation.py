"""Notation of Trumpfspiel moves: ``B4 =3``, ``B4``, ``#2``. Categories and places are counted from 1; a category
may also be typed by its name.
"""

from collections.abc import Iterator
from itertools import islice

from domain.cards import HIDDEN, Seat
from domain.games.quartett.notation import letters
from domain.games.quartett.options import QuartettTerms
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import TrumpfTable, stack_zone
from domain.notation.letters import CardToken, CardUnit, Cut, Move, NumberToken, NumberUnit, SignToken, SignUnit, StepWords, Unit, one_face
from domain.notation.syntax import FaceClause, MoveFaces, NamedNumbers, NotationSyntax


def _units_of_move(agreed: QuartettTerms[Options], move: Move) -> tuple[Unit, ...]:
    """Spell a move. A card that is left out is left out here, too: it is the top one."""
    match move:
        case {"type": "announce", "category": str(category), **named}:
            number = [*agreed.deck.categories].index(category) + 1
            card = named.get("card")
            shown = (CardUnit(card),) if isinstance(card, str) else ()
            return (*shown, SignUnit("="), NumberUnit(number))
        case {"type": "reply", "card": str(card)}:
            return (CardUnit(card, "played"),)
        case {"position": int(position)}:
            return (SignUnit("#"), NumberUnit(position + 1))
        case _:
            return ()


def _literal(agreed: QuartettTerms[Options], lying: TrumpfTable, seat: Seat, cut: Cut) -> Iterator[Move]:
    """Yield the moves of a line. A bare number is a place where a card is drawn, else a category."""
    draws, replies = lying.table.phase == "draw", lying.table.phase == "reply"
    match cut:
        case (SignToken(sign="#"), NumberToken(number=number)):
            yield {"type": "draw", "position": number - 1}
        case (NumberToken(number=number),) if draws:
            yield {"type": "draw", "position": number - 1}
        case (CardToken() as card,) if replies:
            yield {"type": "reply", "card": one_face(card)}
        case (CardToken() as card,) | (CardToken() as card, SignToken(sign="=")):
            yield {"type": "announce", "category": _category(agreed, 1), "card": one_face(card)}
        case (SignToken(sign="="), NumberToken(number=number)) | (NumberToken(number=number),):
            yield {"type": "announce", "category": _category(agreed, number)}
        case (CardToken() as card, SignToken(sign="="), NumberToken(number=number)) | (CardToken() as card, NumberToken(number=number)):
            yield {"type": "announce", "category": _category(agreed, number), "card": one_face(card)}


def _category(agreed: QuartettTerms[Options], number: int) -> str:
    """Return the id of a category. A number beyond the deck stays as it is, and the rules refuse it."""
    return next(islice(agreed.deck.categories, number - 1, None), str(number)) if number > 0 else str(number)


def _words(_: object) -> StepWords:
    return {"en": {"#": "draw,draws"}, "de": {"#": "ziehen,ziehe,zieht"}}


def _tells(_: object, lying: TrumpfTable, seat: Seat, move: Move, said: FaceClause) -> MoveFaces | None:
    """Return the cards that the seats after this one show without a choice, one each (QTR-30): all of them, or those that are not known."""
    if move["type"] == "draw":
        return None
    mover = lying.trick.index(seat) if seat in lying.trick else 0
    tops = [other for other in lying.trick[mover + 1 :] if not lying.chooses(other)]
    untold = [other for other in tops if lying.stack(other)[-1:] == (HIDDEN,)]
    if len(said.faces) == len(untold):
        tops = untold
    return MoveFaces({stack_zone(other): (card,) for other, card in zip(tops, said.faces, strict=False)})


GRAMMAR = NotationSyntax[QuartettTerms[Options], TrumpfTable](
    letters=letters,
    signs=("=", "#"),
    spell=_units_of_move,
    literal=_literal,
    numbered=("=", "#"),
    bare=True,
    named_numbers=lambda agreed: NamedNumbers("=", agreed.deck.named_categories),
    order=("announce", "reply", "draw"),
    tells=_tells,
    words=_words,
    examples=(
        {"type": "announce", "category": "height", "card": "B4"},
        {"type": "reply", "card": "B2"},
        {"type": "draw", "position": 2},
    ),
)
