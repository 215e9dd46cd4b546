"""Every distinct legal move: identical cards are the same card, so a lay is a kind and a number.

A card of the own hand without a face may be any that the seat does not see (COM-76).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement

from domain.cards import Card, Seat
from domain.games.alcasan.checks import positions
from domain.games.alcasan.kinds import fitting_on, in_order
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable
from domain.rules import Move
from domain.telling.untold import Unsure


def legal_moves(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """In the canonical order of the cards, few before many; to decline comes last."""
    if table.table.phase == "choose_open":
        held = in_order(table.to_lay_from(seat))
        for cards in dict.fromkeys(combinations(held, 3)):
            yield {"type": "choose_open", "cards": cards}
        if unsure := table.unsure_hand(seat):
            yield from _choices(held, unsure)
    elif table.place(seat) == "down":
        for position in positions(table, seat):
            yield {"type": "reveal", "position": position}
    else:
        known, unsure = table.to_lay_from(seat), table.unsure_hand(seat)
        yield from _lays(options, table, _copies(known, unsure))
        if not table.fitting(known) and (unsure.may_lack(fitting_on(table.effective)) if unsure else known):
            yield {"type": "take"}
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _lays(options: Options, table: AlcasanTable, copies: Mapping[Card, int]) -> Iterator[Move]:
    only_one = table.extra_lay and options.extra_lay == "single"
    for card in table.fitting(copies):
        for number in range(1, 2 if only_one else copies[card] + 1):
            yield {"type": "lay", "cards": (card,) * number}


def _copies(known: Sequence[Card], unsure: Unsure | None) -> Mapping[Card, int]:
    """Of each kind the known cards, and as many more as the unknown ones can be."""
    if not unsure:
        return Counter(known)
    unknown = unsure.unknown
    copies = {card: number if number < unknown else unknown for card, number in unsure.pool.items()}
    for card in known:
        copies[card] = copies.get(card, 0) + 1
    return copies


def _choices(known: Sequence[Card], unsure: Unsure) -> Iterator[Move]:
    """Three cards that are not all known; the fewer of them have to be among the unknown ones, the earlier."""
    pool = unsure.pool
    strange = [kind for kind in pool if kind not in known]
    copies = {kind: known.count(kind) for kind in known if kind in pool}
    for number in range(max(1, 3 - len(known)), min(3, unsure.unknown) + 1):
        for seen in dict.fromkeys(combinations(known, 3 - number)):
            # Of a kind that is among the unknown cards all known ones are chosen too: each three cards are listed once.
            kinds = [*strange, *[kind for kind, held in copies.items() if seen.count(kind) == held]]
            equal = _with_equal(kinds, number, pool) if number > 1 else ()
            for others in chain(combinations(kinds, number), equal):
                yield {"type": "choose_open", "cards": _three_in_order(seen + others)}


def _with_equal(kinds: Sequence[Card], number: int, pool: Mapping[Card, int]) -> Iterator[tuple[Card, ...]]:
    """Every choice of so many cards of the pool in which a kind is there twice or more."""
    for cards in combinations_with_replacement(kinds, number):
        if len(set(cards)) < number and all(cards.count(kind) <= pool[kind] for kind in cards):
            yield cards


_three_in_order = lru_cache(maxsize=None)(in_order)
"""To put three cards in order took most of the time of the list; there are 2,197 ways to name three kinds."""
