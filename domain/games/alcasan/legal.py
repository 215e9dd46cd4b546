"""Every distinct legal move: identical cards are the same card, so a lay is a kind and a number.

A card of the own hand without a face may be any that the seat does not see (COM-76).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
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
        yield from _lays(options, table, _copies(known, unsure))
        if not table.fitting(known) and (unsure.may_lack(table.fitting(KINDS)) if unsure else known):
            yield {"type": "take"}
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _lays(options: Options, table: AlcasanTable, copies: Counter[Card]) -> Iterator[Move]:
    only_one = table.extra_lay and options.extra_lay == "single"
    for card in table.fitting(copies):
        for number in range(1, 2 if only_one else copies[card] + 1):
            yield {"type": "lay", "cards": (card,) * number}


def _copies(known: Sequence[Card], unsure: Unsure | None) -> Counter[Card]:
    """Of each kind the known cards, and as many more as the unknown ones can be."""
    copies = Counter(known)
    if unsure:
        for card, number in unsure.pool.items():
            copies[card] += min(number, unsure.unknown)
    return copies


def _choices(unsure: Unsure) -> Iterator[tuple[Card, ...]]:
    """Three cards; the fewer of them have to be among the unknown ones, the earlier."""
    known = Counter(unsure.known)
    strange = [kind for kind in unsure.pool if kind not in known]
    for number in range(min(3, unsure.unknown) + 1):
        for seen in dict.fromkeys(combinations(in_order(unsure.known), 3 - number)):
            # Of a kind that is among the unknown cards all known ones are chosen too: each three cards are listed once.
            kinds = [*strange, *(kind for kind in dict.fromkeys(seen) if kind in unsure.pool and seen.count(kind) == known[kind])]
            for others in combinations_with_replacement(kinds, number):
                if number < 2 or all(others.count(kind) <= unsure.pool[kind] for kind in others):
                    yield in_order((*seen, *others))
