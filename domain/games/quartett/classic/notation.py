"""How a question is written: ``@2 ? B4``."""

from collections.abc import Iterator

from domain.cards import Card, Seat
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable, hand_zone
from domain.games.quartett.notation import letters
from domain.games.quartett.options import Agreed
from domain.notation.grammar import Grammar, Said, ToldBeside
from domain.notation.units import CardUnit, Cut, Move, NumberToken, NumberUnit, SignUnit, Unit, cards_of, one_face


def _spell(agreed: Agreed[Options], move: Move) -> tuple[Unit, ...]:
    """The id, if the card is asked for by its name."""
    match move:
        case {"target": int(target), "card": str(card)}:
            asked = agreed.deck.named(card) or card
            return (SignUnit("@"), NumberUnit(target), SignUnit("?"), CardUnit(asked, "played"))
        case _:
            return ()


def _literal(_: object, lying: ClassicTable, seat: Seat, cut: Cut) -> Iterator[Move]:
    """A question that names no seat is one to the next seat."""
    targets = [token.number for token in cut if isinstance(token, NumberToken)]
    following = lying.next_in((seat + 1) % len(lying.seats))
    match cards_of(cut), targets or ([] if following is None else [following]):
        case (token,), (target,):
            yield {"type": "ask", "target": target, "card": one_face(token)}


def _tells(agreed: Agreed[Options], lying: ClassicTable, seat: Seat, move: Move, said: Said) -> ToldBeside | None:
    """The seat that was asked has the card or has it not; if it makes a quartet, the asker holds the other three (QKL-18)."""
    match move:
        case {"target": int(target), "card": str(card)} if not said.faces:
            asked = agreed.deck.named(card) or card
        case _:
            return None
    zone = hand_zone(target)
    if said.denied:
        return ToldBeside(lacks={zone: (asked,)})
    if not said.laid:
        return ToldBeside({zone: (asked,)})
    return ToldBeside({zone: (asked,), hand_zone(seat): _others(agreed, asked)})


def _others(agreed: Agreed[Options], asked: Card) -> tuple[Card, ...]:
    return tuple(card for card in agreed.deck.quartets[agreed.deck.letter_of[asked]] if card != asked)


GRAMMAR = Grammar[Agreed[Options], ClassicTable](
    letters=letters,
    signs=("@", "?"),
    spell=_spell,
    literal=_literal,
    numbered=("@",),
    bare=True,
    denies=True,
    tells=_tells,
    examples=({"type": "ask", "target": 2, "card": "B4"},),
)
