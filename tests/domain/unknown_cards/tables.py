"""Tables of Casino on which cards are unknown."""

from typing import Any

from domain.cards import FRENCH_DECK, HIDDEN, Card
from domain.effects import Effects
from domain.errors import Refused
from domain.rules import KnownFaces
from domain.table import Table, fold
from tests.domain.games.casino.positions import CASINO

RULES = CASINO.bind({}, 2)
BOARD: dict[str, tuple[Card, ...]] = {"board": ("3H", "9C", "KD", "2S")}
UNKNOWN: tuple[Card, ...] = (HIDDEN,) * len(FRENCH_DECK)


def dealt(**known: tuple[Card, ...]) -> Table:
    """Seat 1 has dealt and seat 0 is to play; nobody has told more than the table cards, and ``hand_0`` and the like."""
    table = Table(RULES.setup)
    told = {zone.replace("_", ":"): cards for zone, cards in known.items()}
    return fold(table, RULES.deal(table, 1, UNKNOWN, {**BOARD, **told}))


def trail(table: Table, seat: int, card: Card, **told: Any) -> Effects:
    return RULES.resolve(table, seat, {"type": "trail", "card": card}, KnownFaces(**told))


def refusal(call: Any) -> tuple[str, dict[str, Any]]:
    """The code of the refusal and its details."""
    try:
        call()
    except Refused as refused:
        return refused.code, refused.detail
    raise AssertionError("nothing was refused")
