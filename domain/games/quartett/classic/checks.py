"""Legality checks of a question (QKL-6 to QKL-8), one check a line, in the order in which they decide."""

from domain.cards import HIDDEN, Card, Seat
from domain.errors import Refused
from domain.games.quartett.classic.codes import CODES
from domain.games.quartett.classic.moves import Ask, resolve_asked_card
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import QuartettTable, hand_zone
from domain.games.quartett.options import Deck, QuartettTerms
from domain.unknown_cards.asking import card_unknown


def check(agreed: QuartettTerms[Options], table: QuartettTable, seat: Seat, move: Ask) -> None:
    """Check a question by the game's own rules. Raises ``Refused``."""
    deck, target = agreed.deck, move.target
    held = table.cards_held_by(deck, seat)
    card = resolve_asked_card(deck, move)
    name = deck.names[card]
    if target == seat or target not in table.seats:
        others = tuple(other for other in table.seats if other != seat)
        raise Refused("bad_target", "QKL-6", target=target, allowed=others)
    if table.is_out(target):
        raise Refused("target_out", "QKL-6", "QKL-13", target=target)
    if card in held.must:
        raise Refused("card_already_held", "QKL-8", card=card, name=name)
    letter = deck.letter_of[card]
    if held.may.intersection(deck.quartets[letter]) <= {card}:
        groups = tuple(other for other, cards in deck.quartets.items() if other != letter and not held.may.isdisjoint(cards))
        raise Refused("group_not_held", "QKL-8", card=card, name=name, group=letter, groups=groups)
    _check_known(deck, table, target, card)


def _check_known(deck: Deck, table: QuartettTable, target: Seat, card: Card) -> None:
    """Ask for whether the seat holds the card, if that is neither known nor told (QKL-18). Raises ``Refused``."""
    if HIDDEN in table.hand(target) and card not in table.hand(target) and card in table.cards_held_by(deck, target).may:
        raise card_unknown(CODES, ({"zone": hand_zone(target), "face": card},), "QKL-18")
