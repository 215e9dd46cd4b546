"""Every distinct legal move: identical cards are the same card, so a lay is a kind and a number.

A card of the own hand without a face may be any that the seat does not see (COM-76).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from domain.cards import Card, Seat
from domain.games.alcasan.checks import positions
from domain.games.alcasan.kinds import KINDS, in_order
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable
from domain.rules import Move
from domain.telling.untold import Unsure


def legal_moves(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """In the canonical order of the cards, few before many; to decline comes last."""
    unsure = table.unsure_hand(seat)
    if table.table.phase == "choose_open":
        for cards in _choices(unsure) if unsure else dict.fromkeys(combinations(in_order(table.to_lay_from(seat)), 3)):
            yield {"type": "choose_open", "cards": cards}
    elif table.place(seat) == "down":
        for position in positions(table, seat):
            yield {"type": "reveal", "position": position}
    else:
        known = table.to_lay_from(seat)
        yield from _lays(options, table, Counter(known) + _possible(unsure))
        if not table.fitting(known) and (unsure.may_lack(table.fitting(KINDS)) if unsure else known):
            yield {"type": "take"}
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _lays(options: Options, table: AlcasanTable, copies: Counter[Card]) -> Iterator[Move]:
    only_one = table.extra_lay and options.extra_lay == "single"
    for card in table.fitting(copies):
        for number in range(1, 2 if only_one else copies[card] + 1):
            yield {"type": "lay", "cards": (card,) * number}


def _possible(unsure: Unsure | None) -> Counter[Card]:
    """Of each kind as many as the unknown cards can be."""
    return Counter({card: min(number, unsure.unknown) for card, number in unsure.pool.items()}) if unsure else Counter()


def _choices(unsure: Unsure) -> Iterator[tuple[Card, ...]]:
    """Three cards, those that are not known among the unknown ones."""
    known = Counter(unsure.known)
    for cards in combinations_with_replacement(KINDS, 3):
        wanted = Counter(cards) - known
        if wanted.total() <= unsure.unknown and wanted <= unsure.pool:
            yield cards
