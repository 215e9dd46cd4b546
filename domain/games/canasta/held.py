"""Card choices for typed ranks: a card typed without suit can be any of its rank that the hand holds. In a hand with unknown cards it can
be any that its owner does not see.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from domain.cards import HIDDEN, Card, without
from domain.games.canasta.cards import Rank, in_order, rank_of
from domain.games.canasta.laying import choices
from domain.games.canasta.table import CanastaTable
from domain.games.canasta.typed_groups import TypedGroup, face_of_token, rank_of_token

Named: TypeAlias = tuple[tuple[Card, ...], ...]
"""The cards of each group, in the order in which they were typed."""

Wanted: TypeAlias = tuple[Rank, int]
"""A number of cards of a rank, of any suit."""


class HeldCards:
    """The cards of a hand, on the table as its owner sees it."""

    def __init__(self, hand: Sequence[Card], table: CanastaTable) -> None:
        self._known = in_order(card for card in hand if card != HIDDEN)
        self._table = table
        self._unknown = len(hand) - len(self._known)

    def namings(self, groups: Sequence[TypedGroup]) -> Iterator[Named]:
        """Yield every distinct choice of cards, those that are known to be held first; none if the hand cannot hold them."""
        if self._is_possible_hand(tuple(chain.from_iterable(self.literal(groups)))):
            for chosen in self._choose_cards(_list_needed_ranks(groups), _list_fixed_cards(groups)):
                yield _as_typed(groups, chosen)

    def literal(self, groups: Sequence[TypedGroup]) -> Named:
        """Return the likeliest choice: cards that are held as far as there are any, else others of the rank."""
        gone = _list_fixed_cards(groups)
        chosen: list[tuple[Card, ...]] = []
        for rank, number in _list_needed_ranks(groups):
            held = without(self._cards(rank), gone)[:number]
            chosen.append((*held, *[f"{rank}S"] * (number - len(held))))
            gone += held
        return _as_typed(groups, chosen)

    def unknown_of(self, named: Named) -> int:
        """Return how many of the cards are not among the known ones."""
        return self._list_unknown(chain.from_iterable(named)).total()

    def _choose_cards(self, wanted: Sequence[Wanted], gone: tuple[Card, ...]) -> Iterator[Named]:
        if not wanted:
            yield ()
            return
        (rank, number), *others = wanted
        picks = dict.fromkeys(map(in_order, choices(without(self._cards(rank), gone), number)))
        for cards in sorted(picks, key=lambda cards: self._list_unknown((*gone, *cards)).total()):
            if self._is_possible_hand((*gone, *cards)):
                for rest in self._choose_cards(others, (*gone, *cards)):
                    yield (cards, *rest)

    def _is_possible_hand(self, cards: Iterable[Card]) -> bool:
        beyond = self._list_unknown(cards)
        return beyond.total() <= self._unknown and not (beyond and beyond - Counter(self._list_pool_cards(beyond)))

    def _list_unknown(self, cards: Iterable[Card]) -> Counter[Card]:
        """Return those that are not among the known ones."""
        return Counter(cards) - Counter(self._known)

    def _cards(self, rank: Rank) -> tuple[Card, ...]:
        """Return the cards of the rank, the known ones first."""
        known = tuple(card for card in self._known if rank_of(card) == rank)
        return (*known, *self._table.pool.cards(rank)) if self._unknown else known

    def _list_pool_cards(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards in the pool of the same ranks."""
        return [card for rank in dict.fromkeys(map(rank_of, cards)) for card in self._table.pool.cards(rank)]


def _list_fixed_cards(groups: Sequence[TypedGroup]) -> tuple[Card, ...]:
    return tuple(card for group in groups for token in group.cards if (card := face_of_token(token)))


def _list_needed_ranks(groups: Sequence[TypedGroup]) -> list[Wanted]:
    """List the wanted ranks, group by group."""
    return [
        (rank, number)
        for group in groups
        for rank, number in Counter(rank_of_token(token) for token in group.cards if not face_of_token(token)).items()
    ]


def _as_typed(groups: Sequence[TypedGroup], chosen: Iterable[Sequence[Card]]) -> Named:
    """Return the cards in the typed order, with the chosen ones in the places of those without suit."""
    left = iter(chosen)
    named = []
    for group in groups:
        ranks = dict.fromkeys(rank_of_token(token) for token in group.cards if not face_of_token(token))
        picks = {rank: iter(next(left)) for rank in ranks}
        named.append(tuple(face_of_token(token) or next(picks[rank_of_token(token)]) for token in group.cards))
    return tuple(named)
