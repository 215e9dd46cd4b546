"""Notation of a question: ``@2 ? B4``."""

from collections.abc import Iterator

from domain.cards import Card, Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import QuartettTable, hand_zone
from domain.games.quartett.notation import letters
from domain.games.quartett.options import QuartettTerms
from domain.notation.letters import CardUnit, Cut, Move, NumberToken, NumberUnit, SignUnit, Unit, cards_of, one_face
from domain.notation.syntax import FaceClause, MoveFaces, NotationSyntax


def _units_of_move(agreed: QuartettTerms[Options], move: Move) -> tuple[Unit, ...]:
    """Spell a question with the id of the card, also if it was asked for by its name."""
    match move:
        case {"target": int(target), "card": str(card)}:
            asked = agreed.deck.find_card(card) or card
            return (SignUnit("@"), NumberUnit(target), SignUnit("?"), CardUnit(asked, "played"))
        case _:
            return ()


def _literal(_: object, lying: QuartettTable, seat: Seat, cut: Cut) -> Iterator[Move]:
    """Yield the question of a line. One that names no seat goes to the next seat."""
    targets = [token.number for token in cut if isinstance(token, NumberToken)]
    following = lying.next_in((seat + 1) % len(lying.seats))
    match cards_of(cut), targets or ([] if following is None else [following]):
        case (token,), (target,):
            yield {"type": "ask", "target": target, "card": one_face(token)}


def _tells(agreed: QuartettTerms[Options], lying: QuartettTable, seat: Seat, move: Move, said: FaceClause) -> MoveFaces | None:
    """Return the told cards: the asked seat has the card or not; if it makes a quartet, the asker holds the other three (QKL-18)."""
    match move:
        case {"target": int(target), "card": str(card)} if not said.faces:
            asked = agreed.deck.find_card(card) or card
        case _:
            return None
    zone = hand_zone(target)
    if said.denied:
        return MoveFaces(lacks={zone: (asked,)})
    if not said.laid:
        return MoveFaces({zone: (asked,)})
    return MoveFaces({zone: (asked,), hand_zone(seat): _others(agreed, asked)})


def _others(agreed: QuartettTerms[Options], asked: Card) -> tuple[Card, ...]:
    return tuple(card for card in agreed.deck.quartets[agreed.deck.letter_of[asked]] if card != asked)


GRAMMAR = NotationSyntax[QuartettTerms[Options], QuartettTable](
    letters=letters,
    signs=("@", "?"),
    spell=_units_of_move,
    literal=_literal,
    numbered=("@",),
    bare=True,
    denies=True,
    words={"en": {"@": "ask,asks"}, "de": {"@": "fragen,frage,fragt"}},
    tells=_tells,
    examples=({"type": "ask", "target": 2, "card": "B4"},),
)
