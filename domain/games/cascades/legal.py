"""Every legal move: what can be placed, then turning, then giving up. Every card is unique, so none is listed twice."""

from collections.abc import Iterator

from domain.cards import Seat
from domain.games.cascades.checks import fits
from domain.games.cascades.table import THREE, CascadesTable
from domain.rules import Move


def legal_moves(_: object, table: CascadesTable, seat: Seat) -> Iterator[Move]:
    """The top of the waste first, then the open piles; for each card the tiers from the upper one down."""
    for card in table.available:
        for tier in THREE:
            if fits(table, card, tier):
                yield {"type": "play", "card": card, "tier": tier}
    if table.can_turn:
        yield {"type": "turn"}
    yield {"type": "resign"}
