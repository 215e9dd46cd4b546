"""Pairing of tables with several single players, or with changing partners, so that nobody meets the same people again and again.

No schedule is known that does this for every number of entrants, so it is found by local search: the entrants are laid out at the tables in
the order of their scores, equals by lot, and as long as an exchange of two makes the round better, they change places. That is done from
several draws of the lots, and the best round is taken.

A round is better with fewer repeated partnerships and encounters, each the worse the more often it happened; then, in a Swiss, with tables
whose players have come equally far.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations

from msgspec import Struct

from domain.errors import Refused
from domain.standings.plan import FORMATS, Bye, table_shape
from domain.standings.tie_breaks import lot
from domain.tournament.pairing.tables import (
    DrawConstraints,
    DrawTask,
    Pairing,
    Parties,
    Ranking,
    count_opponents,
    count_partners,
    list_paired_tables,
    ranking,
)

# Seeking a better round by exchanges of two.


class Relations(Struct, frozen=True):
    """The cost of pairing two entrants as partners, and as opponents; by their numbers, either of them first."""

    as_partners: Mapping[tuple[int, int], int]
    as_opponents: Mapping[tuple[int, int], int]

    def at(self, table: Parties) -> int:
        within = sum(self.as_partners[pair] for party in table for pair in combinations(party, 2))
        return within + sum(self.as_opponents[one, other] for mine, theirs in combinations(table, 2) for one in mine for other in theirs)

    def sum_weights(self, tables: Iterable[Parties]) -> int:
        return sum(map(self.at, tables))


def fill_tables(order: Sequence[int], shapes: Iterable[Sequence[int]], relations: Relations) -> tuple[Parties, ...]:
    """Return the tables filled in this order, then improved until no exchange of two entrants makes them better. ``shapes``: of each."""
    waiting = iter(order)
    tables = [_fill_table(list(islice(waiting, sum(shape))), shape) for shape in shapes]
    # Ends, because every exchange lowers the cost and there are finitely many seatings.
    improved = True
    while improved:
        improved = sum(_optimize_tables(tables, first, second, relations) for first, second in _list_table_pairs(tables, relations)) > 0
    return tuple(tables)


def _fill_table(entrants: Sequence[int], shape: Sequence[int]) -> Parties:
    """Return a table filled one for each party, then back again: of four with changing partners the first and the last are partners."""
    waiting, parties = iter(entrants), [(size, list[int]()) for size in shape]
    for lap in range(max(shape)):
        for size, party in reversed(parties) if lap % 2 else parties:
            if lap < size:
                party.append(next(waiting))
    return tuple(tuple(party) for _, party in parties)


def _list_table_pairs(tables: Sequence[Parties], relations: Relations) -> Iterator[tuple[int, int]]:
    """Yield pairs of tables, or twice the same: one at which something could be better, and any other."""
    for first in range(len(tables)):
        if relations.at(tables[first]):
            for second in range(len(tables)):
                yield first, second


def _optimize_tables(tables: list[Parties], first: int, second: int, relations: Relations) -> bool:
    """Make the best exchange between two tables, if any is good. Return whether one was made."""
    now = relations.sum_weights({tables[first], tables[second]})
    best = min(_exchanges(tables, first, second), key=relations.sum_weights, default=None)
    if best is None or relations.sum_weights(best) >= now:
        return False
    tables[first], tables[second] = best[0], best[-1]
    return True


def _exchanges(tables: Sequence[Parties], first: int, second: int) -> Iterator[tuple[Parties, ...]]:
    """Yield both tables after every exchange between them; or the one table after every exchange between its parties."""
    if first == second:
        for mine, theirs in combinations(tables[first], 2):
            yield from ((_swap_entrants(tables[first], one, other),) for one in mine for other in theirs)
    else:
        for one in (entrant for party in tables[first] for entrant in party):
            for other in (entrant for party in tables[second] for entrant in party):
                yield _swap_entrants(tables[first], one, other), _swap_entrants(tables[second], one, other)


def _swap_entrants(table: Parties, one: int, other: int) -> Parties:
    change = {one: other, other: one}
    return tuple(tuple(change.get(entrant, entrant) for entrant in party) for party in table)


_TRIES = 200
"""Divided by the number of entrants, the number of draws of the lots. Large fields gain little from more draws."""
# An old partner as partner, an old opponent as opponent, and either in the other part.
_PARTNERED, _OPPOSED, _KNOWN = 12, 4, 1


def draw(task: DrawTask) -> Pairing:
    """Return the pairing. Entrants left over have a bye: the last of those with the fewest byes. Raises ``Refused`` if there are too few
    for one table.
    """
    plan, ranked, earlier = task.plan, ranking(task), list_paired_tables(task.outcomes)
    shape = table_shape(plan)
    shapes = list_table_shapes(len(ranked.order), shape, smaller=plan.smaller_tables)
    if not shapes:
        raise Refused("too_few_entrants", needed=sum(shape) - plan.smaller_tables)
    left = _left(ranked, len(ranked.order) - sum(map(sum, shapes)), task.byes)
    everybody = FORMATS[plan.format].all_meet
    levels = {one: 0 if everybody else ranked.group[one] for one in ranked.order if one not in left}
    relations = _relations(levels, sum(shape), earlier, task.wishes)
    best = min((fill_tables(order, shapes, relations) for order in _orders(plan.seed, levels, task.round)), key=relations.sum_weights)
    place = {one: number for number, one in enumerate(ranked.order)}
    tables = tuple(sorted(best, key=lambda table: sorted(place[one] for party in table for one in party)))
    had = count_opponents(earlier)
    repeated = sorted((min(pair), max(pair)) for pair in count_opponents(tables) if had[pair])
    return Pairing(tables, left, tuple(repeated))


def list_table_shapes(entrants: int, shape: tuple[int, ...], *, smaller: bool) -> list[tuple[int, ...]]:
    """Return the shapes of the tables: as few entrants left over as can be, then as few tables with one seat less, which are the last."""
    size = sum(shape)
    if not smaller:
        return [shape] * (entrants // size)
    for seated in range(entrants, size - 2, -1):
        for less in range(size):
            full = seated - less * (size - 1)
            if full >= 0 and full % size == 0:
                return [shape] * (full // size) + [shape[:-1]] * less
    return []


def _left(ranked: Ranking, number: int, byes: Sequence[Bye]) -> tuple[int, ...]:
    had = [bye.entrant for bye in byes if not bye.half]
    last_first = ranked.order[::-1]
    return tuple(sorted(last_first, key=had.count)[:number])


def _orders(seed: str, levels: Mapping[int, int], round: int) -> Iterator[list[int]]:
    for number in range(max(1, _TRIES // len(levels))):
        lots = {one: lot(seed, "draw", round, number, one) for one in levels}
        yield sorted(levels, key=lambda one: (levels[one], lots[one]))


def _relations(levels: Mapping[int, int], size: int, earlier: Sequence[Parties], wishes: DrawConstraints) -> Relations:
    """Return the relations. Repeated meetings weigh more than all that the levels of a round can differ.

    Two who are to be kept apart cost as much as a repeated partnership. One of two who are to meet costs more at a table without the other
    than all meetings there.
    """
    unwanted, wanted = wishes.pair_exclusions, {one: frozenset(pair) for pair in wishes.meet for one in pair}
    partnered, opposed = count_partners(earlier), count_opponents(earlier)
    # So an encounter that is repeated is never the price for closer levels.
    weight = 1 + len(levels) * size * max(levels.values()) ** 2
    alone = 1 + size**2 * _PARTNERED * (1 + max([*partnered.values(), *opposed.values()], default=0)) ** 2 if wanted else 0
    as_partners: dict[tuple[int, int], int] = {}
    as_opponents: dict[tuple[int, int], int] = {}
    for one, other in permutations(levels, 2):
        pair, apart = frozenset((one, other)), (levels[one] - levels[other]) ** 2
        together, against = partnered[pair], opposed[pair]
        wished = _PARTNERED * (pair in unwanted) + alone * sum(one in wanted and pair != wanted[one] for one in pair)
        as_partners[one, other] = (_PARTNERED * together**2 + _KNOWN * against + wished) * weight + apart
        as_opponents[one, other] = (_OPPOSED * against**2 + _KNOWN * together + wished) * weight + apart
    return Relations(as_partners, as_opponents)
