"""Enumeration of the legal moves of alcasan: identical cards are the same card, so a lay is a kind and a number.

A card of the own hand without a face may be any that the seat does not see (COM-76).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from domain.cards import HIDDEN, Card, Seat
from domain.games.alcasan.checks import positions
from domain.games.alcasan.kinds import COPIES_OF_KINDS, in_order, minimum_counts, restrict_counts
from domain.games.alcasan.options import Options
from domain.games.alcasan.table import AlcasanTable
from domain.rules import Move
from domain.unknown_cards.support import count_unknown_faces

Cards: TypeAlias = tuple[Card, ...]


def legal_moves(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """List the moves in the canonical order of the cards, few before many; to decline comes last."""
    return _choices(table, seat) if table.table.phase == "choose_open" else _plays(options, table, seat)


def _plays(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    if table.place(seat) == "down":
        for position in positions(table, seat):
            yield {"type": "reveal", "position": position}
    else:
        yield from _lays(options, table, seat)
    if table.extra_lay and options.extra_lay_right == "may":
        yield {"type": "decline"}


def _lays(options: Options, table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """List the lays from hand or open cards, and the taking of the pile where none of them need be possible."""
    fitting, held = table.list_matching(options), table.held(seat)
    for kind, numbers in restrict_counts(fitting, held.most).items():
        for number in numbers:
            yield {"type": "lay", "cards": (kind,) * number}
    if held.can_be_missing(minimum_counts(fitting)):
        yield {"type": "take"}


def _choices(table: AlcasanTable, seat: Seat) -> Iterator[Move]:
    """List the choices of three cards. Choices with fewer unknown cards come earlier."""
    hand = table.hand(seat)
    known = in_order([card for card in hand if card != HIDDEN])
    for cards in dict.fromkeys(combinations(known, 3)):
        yield {"type": "choose_open", "cards": cards}
    if unknown := len(hand) - len(known):
        for seen, others in _with_unknown(known, unknown, count_unknown_faces(table.table, COPIES_OF_KINDS)):
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
                yield seen, zip(_cards_of_kinds(known, seen, pool))
            else:
                kinds = [*strange, *_cards_of_kinds(known, seen, pool)]
                yield seen, combinations(kinds, number)
                yield seen, _with_equal(kinds, number, pool)


def _cards_of_kinds(known: Cards, seen: Cards, pool: Mapping[Card, int]) -> list[Card]:
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
