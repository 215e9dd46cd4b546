"""Melds as numbers of natural and wild cards, and the test for going out (CAN-20 to CAN-25, CAN-37)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from domain.cards import Card
from domain.games.canasta.cards import BLACK_THREE, WILD_RANKS, Held, Rank, card_value, is_wild

SMALLEST = 3  # cards of a meld (CAN-20)
CANASTA = 7
MOST_WILDS = 3  # in a meld (CAN-22)


class Meld(NamedTuple):
    """A meld as numbers. Black threes count as natural here."""

    natural: int = 0
    wild: int = 0

    @property
    def size(self) -> int:
        return self.natural + self.wild

    @property
    def canasta(self) -> str | None:
        if self.size < CANASTA:
            return None
        return "mixed" if self.wild else "natural"

    def join_cards(self, cards: Iterable[Card]) -> "Meld":
        """Return the meld with further cards (CAN-21)."""
        natural, wild = self
        for card in cards:
            if is_wild(card):
                wild += 1
            else:
                natural += 1
        return Meld(natural, wild)


Melds: TypeAlias = Mapping[Rank, Meld]
"""The melds of a party."""

NONE = Meld()


def wild_limit(rank: Rank, natural: int) -> int:
    """Return how many wild cards a meld with ``natural`` natural ones may hold (CAN-22, CAN-24)."""
    return 0 if rank == BLACK_THREE else min(MOST_WILDS, natural)


def has_canasta(melds: Melds) -> bool:
    return any(meld.size >= CANASTA for meld in melds.values())


def can_go_out(held: Held, melds: Melds, minimum: int = 0) -> bool:
    """Return whether the hand, except for at most one card, can be laid so that the party then has a canasta (CAN-37).

    ``minimum`` is the value that a party without a meld has to reach. With one meld to a rank only the discard and the places of the wild
    cards are free.
    """
    stuck = [rank for rank, number in held.items() if _has_no_meld(rank, number, melds)]
    # One card may be discarded, so one single card without a meld does no harm; two do.
    if len(stuck) > 1:
        return False
    return any((not minimum or _value(laid) >= minimum) and _can_lay(laid, melds) for laid in _but_one(held, stuck))


def _has_no_meld(rank: Rank, number: int, melds: Melds) -> bool:
    """Return whether cards of the rank cannot all be laid, whatever wild cards there are."""
    if rank in WILD_RANKS or rank in melds or not number:
        return False
    return number < SMALLEST if rank == BLACK_THREE else number == 1


def _but_one(held: Held, stuck: list[Rank]) -> Iterator[Held]:
    """Yield the hand, and the hand without each card whose discard can help; a rank that is stuck leaves no choice. Keeping a further
    natural card of another rank never does harm.
    """
    if not stuck:
        yield held
    for rank in stuck or WILD_RANKS:
        if held.get(rank):
            yield {**held, rank: held[rank] - 1}


def _value(held: Held) -> int:
    return sum(card_value(rank) * number for rank, number in held.items())


def _can_lay(held: Held, melds: Melds) -> bool:
    """Return whether all these cards can be laid, with a canasta in the end."""
    wilds = sum([held.get(rank, 0) for rank in WILD_RANKS])
    limits = []
    least = most = 0
    for rank in (*melds, *[rank for rank, number in held.items() if number and rank not in melds and rank not in WILD_RANKS]):
        meld_natural, meld_wild = melds.get(rank, NONE)
        natural = meld_natural + held.get(rank, 0)
        size = natural + meld_wild
        low, high = SMALLEST - size if size < SMALLEST else 0, wild_limit(rank, natural) - meld_wild
        if low > high:
            return False
        least, most = least + low, most + high
        limits.append((low, high, CANASTA - size))
    if not least <= wilds <= most:
        return False
    return any(max(low, missing) <= min(high, low + wilds - least) for low, high, missing in limits)
