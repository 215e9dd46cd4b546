"""Legality checks of Trumpfspiel moves (the table of QTR-7), one check a line, in the order in which they decide."""

from domain.blocks import block_at
from domain.cards import HIDDEN, Card, Seat
from domain.errors import Refused
from domain.games.quartett.options import Deck, QuartettTerms
from domain.games.quartett.trumpf.codes import CODES
from domain.games.quartett.trumpf.moves import MOVES, Announce, AnyMove, Draw, Reply
from domain.games.quartett.trumpf.options import Options
from domain.games.quartett.trumpf.table import FEW, TrumpfTable, stack_zone
from domain.unknown_cards.face_entry import not_of_block


def check(agreed: QuartettTerms[Options], table: TrumpfTable, seat: Seat, move: AnyMove, *, owned_first: bool = False) -> None:
    """Check a move by the game's own rules. Raises ``Refused``. ``owned_first``: as in edition 1, which first checked whether the card lies
    in the stack, so that a refusal revealed cards that nobody sees.
    """
    if type(move) is not MOVES.get(table.table.phase):
        raise Refused("wrong_phase", *CODES["wrong_phase"], phase=table.table.phase)
    deck = agreed.deck
    match move:
        case Announce():
            check_announce(deck, table, seat, move, owned_first=owned_first)
        case Reply(card=card):
            if card not in table.stack(seat):
                raise Refused("card_not_in_hand", "QTR-11", card=card, name=deck.names[card])
        case Draw(position=position):
            check_draw(table, position)


def check_announce(deck: Deck, table: TrumpfTable, seat: Seat, move: Announce, *, owned_first: bool) -> None:
    stack = table.stack(seat)
    if move.category not in deck.categories:
        raise Refused("unknown_category", "QTR-8", "QTR-9", category=move.category, categories=tuple(deck.categories))
    shown = move.card if isinstance(move.card, Card) else stack[-1]
    if owned_first:
        _check_owned(deck, stack, shown)
    if len(stack) > FEW and shown != stack[-1]:
        if block := block_at(table.table.blocks or (), stack_zone(seat), 0):
            raise not_of_block(CODES, stack_zone(seat), shown, block.faces)
        raise _no_choice(deck, stack, shown)
    _check_owned(deck, stack, shown)
    if shown != HIDDEN and deck.values[move.category][shown] is None:
        others = tuple(category for category, values in deck.values.items() if values[shown] is not None)
        raise Refused("no_value", "QDK-10", card=shown, name=deck.names[shown], category=move.category, categories=others)


def _no_choice(deck: Deck, stack: tuple[Card, ...], card: Card) -> Refused:
    """Return the refusal of a choice. If the top card is unknown, the card named is known to lie elsewhere (COM-72)."""
    name, top, count = deck.names[card], stack[-1], len(stack)
    if top == HIDDEN:
        return Refused("choice_not_allowed", "QTR-9", "QTR-17", card=card, count=count, name=name, problem="top_unknown")
    return Refused("choice_not_allowed", "QTR-9", "QTR-17", card=card, top=top, count=count, name=name, top_name=deck.names[top])


def _check_owned(deck: Deck, stack: tuple[Card, ...], card: Card) -> None:
    if card not in stack:
        raise Refused("card_not_in_hand", "QTR-9", card=card, name=deck.names[card])


def check_draw(table: TrumpfTable, position: int) -> None:
    count = len(table.stack(table.trick[0]))
    if not 0 <= position < count:
        raise Refused("bad_position", "QTR-18", "QTR-19", position=position, announcer=table.announcer, last=count - 1)
