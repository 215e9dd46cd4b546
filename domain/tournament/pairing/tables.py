"""What a format answers when it is asked for a round."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import TypeAlias

from msgspec import Struct

from domain.standings.lots import lot
from domain.standings.outcome import Bye, Outcome
from domain.tournament.state import Entrant

Parties: TypeAlias = tuple[tuple[int, ...], ...]
Pair: TypeAlias = frozenset[int]


class Pairing(Struct, frozen=True):
    """The tables of a round, the first one first, each with the entrants of its parties; and who is left over.

    ``repeated`` are encounters that there had been before, because nothing else was left.
    """

    tables: tuple[Parties, ...]
    byes: tuple[int, ...] = ()
    repeated: tuple[tuple[int, int], ...] = ()


def encounters(tables: Iterable[Parties]) -> Counter[Pair]:
    """How often each two met as opponents."""
    return Counter(
        frozenset((one, other)) for parties in tables for mine, theirs in combinations(parties, 2) for one in mine for other in theirs
    )


def partnerships(tables: Iterable[Parties]) -> Counter[Pair]:
    """How often each two were partners."""
    return Counter(frozenset(pair) for parties in tables for party in parties for pair in combinations(party, 2))


def met(outcomes: Iterable[Outcome]) -> tuple[Parties, ...]:
    """The tables at which people met or are going to; after a forfeit they may be paired again."""
    return tuple(outcome.parties for outcome in outcomes if outcome.how != "forfeited")


def field_of(outcomes: Iterable[Outcome], byes: Iterable[Bye], round: int = 1) -> set[int]:
    """Who was there in a round, in the first unless another is named."""
    seated = {entrant for outcome in outcomes if outcome.round == round for party in outcome.parties for entrant in party}
    return seated | {bye.entrant for bye in byes if bye.round == round}


def precedence(seed: str, entrant: Entrant) -> tuple[int, int]:
    """The lowest goes first: by rating, who has none after all others, then by lot."""
    rating = -1 if entrant.rating is None else entrant.rating
    return -rating, lot(seed, "draw", entrant.number)
