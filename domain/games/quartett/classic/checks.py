"""What a question has to fulfil (QKL-6 to QKL-8), one check a line, in the order in which they decide."""

from domain.cards import Seat
from domain.errors import Refused
from domain.games.quartett.classic.moves import Ask, asked_card
from domain.games.quartett.classic.options import Options
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.options import Agreed


def check(agreed: Agreed[Options], table: ClassicTable, seat: Seat, move: Ask) -> None:
    """The game's own checks. Raises ``Refused``."""
    deck, hand, target = agreed.deck, table.hand(seat), move.target
    card = asked_card(deck, move)
    name = deck.names[card]
    if target == seat or target not in table.seats:
        others = tuple(other for other in table.seats if other != seat)
        raise Refused("bad_target", "QKL-6", target=target, allowed=others)
    if table.is_out(target):
        raise Refused("target_out", "QKL-6", "QKL-13", target=target)
    if card in hand:
        raise Refused("card_already_held", "QKL-8", card=card, name=name)
    held = {deck.letter_of[own] for own in hand}
    if deck.letter_of[card] not in held:
        letters = tuple(letter for letter in deck.quartets if letter in held)
        raise Refused("group_not_held", "QKL-8", card=card, name=name, group=deck.letter_of[card], groups=letters)
