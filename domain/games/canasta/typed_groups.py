"""Parsing of typed cards into meld groups (NOT-1, NOT-3).

A rank directly before ``=`` or ``+`` can be a label: it names the meld, and the cards after it up to a blank or a sign belong to it.
Without a label a natural card goes to the meld of its rank, and a wild one to that of the natural card typed before it; wild cards that
begin the line go to that of the card typed behind them. Wild cards alone make a group of their own rank, which the rules refuse.
"""

from collections.abc import Collection, Iterator
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from domain.cards import Card
from domain.games.canasta.cards import JOKER, WILD_RANKS, Rank, rank_of
from domain.notation.letters import CardToken, Cut, SignToken

MOST_DOUBTS = 3
"""Places of a line at which both a label and a card are tried; further on they are labels."""


class TypedGroup(NamedTuple):
    """Cards for one meld, in the order in which they were typed."""

    rank: Rank
    cards: tuple[CardToken, ...]


def read_groups(cut: Cut, taken: Rank | None = None, *, literal: bool = False) -> Iterator[tuple[TypedGroup, ...]]:
    """Yield every way to read the cards and signs, the likeliest first.

    ``taken``: the rank with which the pile is taken; its group comes first, also without a card, and needs no label.
    ``literal``: a label may stand before a card that no meld of its rank takes, as in ``k+9``.
    """
    labels = [place for place in range(len(cut)) if _may_be_label(cut, place, taken, literal=literal)]
    doubtful = [place for place in labels if _is_after_card(cut, place)][:MOST_DOUBTS]
    for cards in product((False, True), repeat=len(doubtful)):
        no_labels = {place for place, is_card in zip(doubtful, cards, strict=True) if is_card}
        yield _Grouping(taken).group(cut, set(labels) - no_labels)


def of_one_rank(cut: Cut) -> Iterator[Cut]:
    """Yield the line with each card of one rank: in German ``jk`` is a joker, and the English jack of diamonds."""
    return product(*(_by_rank(token) if isinstance(token, CardToken) else (token,) for token in cut))


def _by_rank(token: CardToken) -> tuple[CardToken, ...]:
    ranks = sorted({rank_of(card) for card in token.faces}, key=lambda rank: rank != JOKER)
    if len(ranks) == 1:
        return (token,)
    return tuple(replace(token, faces=frozenset(card for card in token.faces if rank_of(card) == rank)) for rank in ranks)


def rank_of_token(token: CardToken) -> Rank:
    """Return the rank of a card that was typed with one rank."""
    return rank_of(next(iter(token.faces)))


def face_of_token(token: CardToken) -> Card | None:
    """Return the face of a typed card, if it can be only one."""
    return next(iter(token.faces)) if len(token.faces) == 1 else None


def _may_be_label(cut: Cut, place: int, taken: Rank | None, *, literal: bool) -> bool:
    """Return whether a rank may be a label: without a suit, before a sign without a blank between them, and before a card that could be
    laid there; with ``literal`` before any card, if it begins a group itself.
    """
    match cut[place : place + 3]:
        case (CardToken() as label, SignToken(sign="=" | "+", apart=False), CardToken() as card):
            rank, laid = rank_of_token(label), rank_of_token(card)
            if rank == taken or (rank in WILD_RANKS and _is_after_card(cut, place)):
                return False
            fits = laid == rank or laid in WILD_RANKS or (literal and not _is_after_card(cut, place))
            return face_of_token(label) in (None, rank) and fits
        case _:
            return False


def _is_after_card(cut: Cut, place: int) -> bool:
    """Return whether the token follows a card without a blank: in ``kkk+2`` the last king may be a card like the others."""
    return place > 0 and isinstance(cut[place - 1], CardToken) and not cut[place].apart


class _Grouping:
    def __init__(self, taken: Rank | None) -> None:
        self._groups: list[tuple[Rank, list[CardToken]]] = []
        self._last: list[CardToken] = []
        self._first_wilds: list[CardToken] = []
        self._labelled = False
        if taken:
            self._begin(taken)

    def group(self, cut: Cut, labels: Collection[int]) -> tuple[TypedGroup, ...]:
        for place, token in enumerate(cut):
            if not isinstance(token, CardToken):
                self._labelled = place - 1 in labels
                self._end_first_wilds()
            elif place in labels:
                self._begin(rank_of_token(token))
            elif len(self._first_wilds) == place and not self._groups and rank_of_token(token) in WILD_RANKS:
                self._first_wilds.append(token)
            else:
                self._labelled = self._labelled and not token.apart
                self._put(token, rank_of_token(token))
        self._end_first_wilds()
        return tuple(TypedGroup(rank, tuple(cards)) for rank, cards in self._groups)

    def _begin(self, rank: Rank) -> None:
        self._last = self._first_wilds
        self._first_wilds = []
        self._groups.append((rank, self._last))

    def _end_first_wilds(self) -> None:
        if self._first_wilds:
            self._begin(rank_of_token(self._first_wilds[0]))

    def _put(self, token: CardToken, rank: Rank) -> None:
        if not self._groups or not (self._labelled or rank in WILD_RANKS):
            begun = next((cards for named, cards in self._groups if named == rank), None)
            if begun is None:
                self._begin(rank)
            else:
                self._last = begun
        self._last.append(token)
