"""What moves of Canasta are spelled of: ``x 9s9h K=KsKhKd2s``, ``7+7d``, ``9s -``."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TypeAlias, cast

from domain.cards import Card, Seat
from domain.games.canasta.cards import MELD_RANKS, Rank, in_order, is_wild
from domain.games.canasta.melds import SMALLEST
from domain.games.canasta.table import CanastaTable
from domain.notation.units import CardUnit, Move, Sign, SignUnit, Unit

SPOKEN: Mapping[Sign, Move] = {
    ".": {"type": "draw"},
    "~": {"type": "pass"},
    "?": {"type": "ask"},
    "y": {"type": "answer", "consent": True},
    "n": {"type": "answer", "consent": False},
}
"""The moves without cards, by what is said."""

Cards: TypeAlias = tuple[Card, ...]


def spell(_: object, move: Move) -> tuple[Unit, ...]:
    """Where the table is not at hand, three cards or more are spelled as a meld of their own, and fewer as laid off."""
    return _spelled(move, lambda rank, cards: len(cards) >= SMALLEST)


def spell_there(_: object, table: CanastaTable, seat: Seat, move: Move) -> tuple[Unit, ...]:
    """``=`` for a new meld, ``+`` for what is laid off."""
    melded = table.melded[table.party(seat)]
    return _spelled(move, lambda rank, cards: rank not in melded)


def _spelled(move: Move, is_new: Callable[[Rank, Cards], bool]) -> tuple[Unit, ...]:
    match move:
        case {"type": "discard", "card": str(card)}:
            return CardUnit(card, role="played"), SignUnit("-")
        case {"type": "meld", "melds": melds}:
            return _groups(melds, is_new)
        case {"type": "take", "cards": cards}:
            return SignUnit("x"), *_cards(cast("Cards", cards)), *_groups(move.get("melds", ()), is_new)
        case _:
            return tuple(SignUnit(sign) for sign, spoken in SPOKEN.items() if spoken == move)


def _groups(melds: object, is_new: Callable[[Rank, Cards], bool]) -> tuple[Unit, ...]:
    """From the aces down, however they were named."""
    named = [(str(group["rank"]), tuple(group["cards"])) for group in cast("tuple[dict[str, Cards], ...]", melds)]
    return tuple(chain.from_iterable(_group(rank, cards, new=is_new(rank, cards)) for rank, cards in sorted(named, key=_place)))


def _group(rank: Rank, cards: Cards, *, new: bool) -> Iterator[Unit]:
    yield CardUnit(rank, role="free")
    yield SignUnit("=" if new else "+", joined=True)
    first, *others = _cards(cards)
    yield CardUnit(first.card, joined=True)
    yield from others


def _cards(cards: Cards) -> tuple[CardUnit, ...]:
    """The natural ones first."""
    ordered = sorted(in_order(cards), key=is_wild)
    return tuple(CardUnit(card, joined=place > 0) for place, card in enumerate(ordered))


def _place(named: tuple[Rank, Cards]) -> int:
    return MELD_RANKS.find(named[0])
