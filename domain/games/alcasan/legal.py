"""Every distinct legal move: identical cards are the same card, so a lay is a kind and a number."""

from collections.abc import Iterator
from itertools import combinations

from domain.cards import Card, Seat
from domain.games.alcasan.checks import fits, positions
from domain.games.alcasan.kinds import in_order
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable
from domain.rules import Move


def legal_moves(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """In the canonical order of the cards, few before many; to decline comes last."""
    if table.table.phase == "choose_open":
        for cards in dict.fromkeys(combinations(in_order(table.to_lay_from(seat)), 3)):
            yield {"type": "choose_open", "cards": cards}
    elif table.place(seat) == "down":
        for position in positions(table, seat):
            yield {"type": "reveal", "position": position}
    else:
        yield from _from_seen_cards(options, table, table.to_lay_from(seat))
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _from_seen_cards(options: Options, table: AlcasanTable, cards: tuple[Card, ...]) -> Iterator[Move]:
    fitting = [card for card in in_order(set(cards)) if fits(table, card)]
    only_one = table.extra_lay and options.extra_lay == "single"
    for card in fitting:
        for number in range(1, 2 if only_one else cards.count(card) + 1):
            yield {"type": "lay", "cards": (card,) * number}
    if cards and not fitting:
        yield {"type": "take"}
