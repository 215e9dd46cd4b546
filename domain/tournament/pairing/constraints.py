"""The wishes that the draw of a round heeds: entrants kept apart, wanted pairings, fixed tables and the first table number."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, count

from msgspec import Struct

from domain.tournament.pairing.tables import Pair, Parties
from domain.tournament.state import Wish


class DrawConstraints(Struct, frozen=True):
    """Groups of entrants who are not to be at one table, and pairs who are, by their numbers."""

    apart: tuple[tuple[int, ...], ...] = ()
    meet: tuple[tuple[int, ...], ...] = ()

    @property
    def pair_exclusions(self) -> frozenset[Pair]:
        return frozenset(frozenset(pair) for group in self.apart for pair in combinations(group, 2))


NO_CONSTRAINTS = DrawConstraints()


def build_constraints(wishes: Iterable[Wish], clubs: Sequence[tuple[int, ...]], round: int) -> DrawConstraints:
    """Return the wishes for a round. ``clubs``: the entrants of each club, where they are to be kept apart."""
    holding = [wish for wish in wishes if wish.covers(round)]
    apart = tuple(wish.entrants for wish in holding if wish.kind == "apart")
    return DrawConstraints((*apart, *clubs), tuple(wish.entrants for wish in holding if wish.kind == "meet"))


def list_fixed_tables(wishes: Iterable[Wish], round: int) -> Mapping[int, str]:
    """Return the fixed table of each entrant who has one, in the order of the wishes."""
    holding = (wish for wish in wishes if wish.kind == "table" and wish.covers(round))
    return {wish.entrants[0]: wish.table for wish in holding if wish.table is not None}


def name_tables(tables: Sequence[Parties], first: int, fixed: Mapping[int, str]) -> tuple[str, ...]:
    """Return the name of each table: that of an entrant with a fixed table, else the next number from ``first`` that is free."""
    at = {entrant: place for place, table in enumerate(tables) for party in table for entrant in party}
    names: dict[int, str] = {}
    for entrant, name in fixed.items():
        if entrant in at and name not in names.values():
            names.setdefault(at[entrant], name)
    free = _free_numbers(first, {*names.values()})
    return tuple(names[place] if place in names else next(free) for place in range(len(tables)))


def _free_numbers(first: int, taken: set[str]) -> Iterator[str]:
    return (name for number in count(first) if (name := str(number)) not in taken)
