"""Seeking a better round by exchanges of two."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from domain.tournament.pairing.tables import Parties


class Relations(Struct, frozen=True):
    """What it costs to have two as partners, and as opponents; by their numbers, either of them first."""

    as_partners: Mapping[tuple[int, int], int]
    as_opponents: Mapping[tuple[int, int], int]

    def at(self, table: Parties) -> int:
        within = sum(self.as_partners[pair] for party in table for pair in combinations(party, 2))
        return within + sum(self.as_opponents[one, other] for mine, theirs in combinations(table, 2) for one in mine for other in theirs)

    def cost(self, tables: Iterable[Parties]) -> int:
        return sum(map(self.at, tables))


def settled(order: Sequence[int], shape: Sequence[int], relations: Relations) -> tuple[Parties, ...]:
    """The tables filled in this order, then improved until no exchange of two entrants makes them better."""
    size = sum(shape)
    tables = [_filled(order[start : start + size], shape) for start in range(0, len(order), size)]
    # Ends, because every exchange lowers the cost and there are finitely many seatings.
    improved = True
    while improved:
        improved = sum(_improve(tables, first, second, relations) for first, second in _suspects(tables, relations)) > 0
    return tuple(tables)


def _filled(entrants: Sequence[int], shape: Sequence[int]) -> Parties:
    """One for each party, then back again: of four with changing partners the first and the last are partners."""
    waiting, parties = iter(entrants), [(size, list[int]()) for size in shape]
    for lap in range(max(shape)):
        for size, party in reversed(parties) if lap % 2 else parties:
            if lap < size:
                party.append(next(waiting))
    return tuple(tuple(party) for _, party in parties)


def _suspects(tables: Sequence[Parties], relations: Relations) -> Iterator[tuple[int, int]]:
    """Two tables each, or twice the same: one at which something could be better, and any other."""
    for first in range(len(tables)):
        if relations.at(tables[first]):
            for second in range(len(tables)):
                yield first, second


def _improve(tables: list[Parties], first: int, second: int, relations: Relations) -> bool:
    """Makes the best exchange between two tables, if any is good."""
    now = relations.cost({tables[first], tables[second]})
    best = min(_exchanges(tables, first, second), key=relations.cost, default=None)
    if best is None or relations.cost(best) >= now:
        return False
    tables[first], tables[second] = best[0], best[-1]
    return True


def _exchanges(tables: Sequence[Parties], first: int, second: int) -> Iterator[tuple[Parties, ...]]:
    """Both tables after every exchange between them; or the one table after every exchange between its parties."""
    if first == second:
        for mine, theirs in combinations(tables[first], 2):
            yield from ((_swapped(tables[first], one, other),) for one in mine for other in theirs)
    else:
        for one in (entrant for party in tables[first] for entrant in party):
            for other in (entrant for party in tables[second] for entrant in party):
                yield _swapped(tables[first], one, other), _swapped(tables[second], one, other)


def _swapped(table: Parties, one: int, other: int) -> Parties:
    change = {one: other, other: one}
    return tuple(tuple(change.get(entrant, entrant) for entrant in party) for party in table)
