"""Enumeration of the legal moves of alcasan: identical cards are the same card, so a lay is a kind and a number.

A card of the own hand without a face may be any that the seat does not see (COM-76).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from domain.cards import HIDDEN, Card, Seat
from domain.games.alcasan.checks import positions
from domain.games.alcasan.kinds import COPIES_OF_KINDS, fitting_on, in_order
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable
from domain.rules import Move
from domain.telling.untold import Unsure, unaccounted

Cards: TypeAlias = tuple[Card, ...]


def legal_moves(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """List the moves in the canonical order of the cards, few before many; to decline comes last."""
    return _choices(table, seat) if table.table.phase == "choose_open" else _plays(options, table, seat)


def _plays(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    if table.place(seat) == "down":
        for position in positions(table, seat):
            yield {"type": "reveal", "position": position}
    else:
        unsure = table.unsure_hand(seat)
        yield from _from_unsure(options, table, unsure) if unsure else _from_known(options, table, table.to_lay_from(seat))
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _from_known(options: Options, table: AlcasanTable, cards: Sequence[Card]) -> Iterator[Move]:
    fitting = table.fitting(cards)
    yield from _lays(options, table, [(kind, cards.count(kind)) for kind in fitting])
    if cards and not fitting:
        yield {"type": "take"}


def _from_unsure(options: Options, table: AlcasanTable, unsure: Unsure) -> Iterator[Move]:
    yield from _lays(options, table, _may_fit(table, unsure))
    if unsure.may_lack(fitting_on(table.effective)):
        yield {"type": "take"}


def _lays(options: Options, table: AlcasanTable, fitting: Iterable[tuple[Card, int]]) -> Iterator[Move]:
    """List the lays of these kinds. ``fitting``: kinds, and how many cards of each there are."""
    only_one = table.extra_lay and options.extra_lay == "single"
    for kind, copies in fitting:
        for number in range(1, 2 if only_one else copies + 1):
            yield {"type": "lay", "cards": (kind,) * number}


def _may_fit(table: AlcasanTable, unsure: Unsure) -> Iterator[tuple[Card, int]]:
    """List the kinds that fit, each with the number of its known cards and of the unknown ones that can be of it."""
    known, unknown, pool = unsure.known, unsure.unknown, unsure.pool
    for kind in fitting_on(table.effective):
        if kind in pool:
            yield kind, known.count(kind) + min(unknown, pool[kind])
        elif kind in known:
            yield kind, known.count(kind)


def _choices(table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """List the choices of three cards. Choices with fewer unknown cards come earlier."""
    hand = table.hand(seat)
    known = in_order([card for card in hand if card != HIDDEN])
    for cards in dict.fromkeys(combinations(known, 3)):
        yield {"type": "choose_open", "cards": cards}
    if unknown := len(hand) - len(known):
        for seen, others in _with_unknown(known, unknown, unaccounted(table.table, COPIES_OF_KINDS)):
            for more in others:
                yield {"type": "choose_open", "cards": _IN_ORDER[seen + more]}


def _with_unknown(known: Cards, unknown: int, pool: Mapping[Card, int]) -> Iterator[tuple[Cards, Iterable[Cards]]]:
    """List the known cards of the three, with what the others may be."""
    strange, done = dict(pool), set()
    for kind in known:
        strange.pop(kind, None)
    for number in (1, 2, 3)[:unknown]:
        for seen in combinations(known, 3 - number):
            if seen in done:
                continue
            done.add(seen)
            if number == 1:
                yield seen, zip(strange)
                yield seen, zip(_alike(known, seen, pool))
            else:
                kinds = [*strange, *_alike(known, seen, pool)]
                yield seen, combinations(kinds, number)
                yield seen, _with_equal(kinds, number, pool)


def _alike(known: Cards, seen: Cards, pool: Mapping[Card, int]) -> list[Card]:
    """Return the kinds of which all known cards are chosen and more may be unknown: only then unknown ones of the kind are added, so each
    three cards are listed once.
    """
    return [kind for kind in dict.fromkeys(seen) if kind in pool and seen.count(kind) == known.count(kind)]


def _with_equal(kinds: Sequence[Card], number: int, pool: Mapping[Card, int]) -> Iterator[Cards]:
    """List every choice of ``number`` cards of the pool in which a kind is there twice or more."""
    for cards in combinations_with_replacement(kinds, number):
        if len(set(cards)) < number and all(cards.count(kind) <= pool[kind] for kind in cards):
            yield cards


class _InOrder(dict[Cards, Cards]):
    """Three cards in order, cached. Sorting took most of the time of the list; there are 2,197 ways to name three kinds."""

    def __missing__(self, cards: Cards) -> Cards:
        self[cards] = ordered = in_order(cards)
        return ordered


_IN_ORDER = _InOrder()
