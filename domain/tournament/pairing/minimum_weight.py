"""The perfect matching of least cost of a Swiss round, by the library rustworkx (Edmonds' blossom algorithm).

All pairs of a large field are too many, and nearly all of them are far from the fold. So the pairs near the fold are matched first, and it
is proved that no other pair can be better; where that fails, the distance is doubled:

- A pair whose distance from the fold, squared, exceeds the sum of all distances of the matching is in no better one.
- Encounters, byes, floats and sides cannot be fewer than none; more than half of a field who are kept apart meet one another. Each border
  between score groups with an odd number of entrants above it is crossed at least once.
- Where more is crossed, large groups are cut to a few entrants without restrictions. The matching of the small field is a lower bound: in
  the whole one somebody is left to exchange places with.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import isqrt
from typing import TypeAlias

import rustworkx
from msgspec import Struct

Cost: TypeAlias = tuple[int, int, int, int, int, int, int]
Chairs: TypeAlias = tuple[int, int | None]
"""Two places of the ranking, the better first, or one with the bye."""

_ALL_PAIRS = 100
"""Up to so many entrants all pairs are matched at once."""
_NEAR = 24
"""The first distance from the fold within which pairs are matched."""
_FAR = 4 * _NEAR
"""From here on a matching is taken without a proof if two doublings of the distance did not change its costs. None that did was met."""
_MOST_FLOOR_PAIRS = 1_000_000
_LONGEST_WEIGHT = 120
"""Bits. rustworkx reckons in 128, and answers wrongly beyond."""


class PlaceField(Struct, frozen=True):
    """What the earlier rounds say of each place of the ranking.

    ``group``: score groups, ascending from 0; ``met``: encounters of two places, the better first; ``spared``: byes and wins by forfeit;
    ``floated``: 1 down, -1 up; ``side``: the side that is due, 1 first, -1 second.
    """

    group: Sequence[int]
    met: Mapping[tuple[int, int], int]
    spared: Sequence[int]
    floated: Sequence[int]
    side: Sequence[int]

    @property
    def size(self) -> int:
        return len(self.group)


def match_places(field: PlaceField, near: int | None = None) -> list[Chairs]:
    """Return the pairs, and one entrant with the bye where their number is odd. ``near``: the first distance from the fold."""
    costs = PairWeights(field)
    width = near or (field.size if field.size <= _ALL_PAIRS else _NEAR)
    before: Cost | None = None
    unchanged = 0
    while True:
        pairs = _match(costs, width)
        total = costs.sum(pairs) if pairs else None
        unchanged = unchanged + 1 if total == before else 0
        before = total
        given_up = width >= _FAR and unchanged >= 2 and total and total[0] <= _count_forced_repeats(field)
        if pairs and total and (width >= field.size or given_up or _is_minimum(costs, total, width)):
            return pairs
        wanted = isqrt(total[-1]) if total else 0
        width = wanted if wanted > width else 2 * width


class PairWeights:
    """The costs of pairs. ``ends``: the place behind the last of each score group."""

    def __init__(self, field: PlaceField) -> None:
        self.field = field
        self.sizes = Counter(field.group)
        self.ends = [0] * (max(field.group) + 1)
        for place, group in enumerate(field.group):
            self.ends[group] = place + 1

    def of(self, one: int, other: int | None) -> Cost:
        field = self.field
        group = field.group[one]
        if other is None:
            return 0, field.spared[one], field.group[-1] - group, 0, int(field.floated[one] == 1), 0, (field.size - 1 - one) ** 2
        levels = field.group[other] - group
        floats = (field.floated[one] == 1) + (field.floated[other] == -1) if levels else 0
        same = int(field.side[one] != 0 and field.side[one] == field.side[other])
        return field.met.get((one, other), 0), 0, 0, levels**2, floats, same, (other - one - self.fold_distance(one, levels)) ** 2

    def fold_distance(self, place: int, levels: int) -> int:
        return 1 if levels else (self.sizes[self.field.group[place]] + 1) // 2

    def sum(self, pairs: Iterable[Chairs]) -> Cost:
        costs = [self.of(*pair) for pair in pairs]
        repeats, spared, group, levels, floats, sides, fold = (sum(column) for column in zip(*costs, strict=True))
        return repeats, spared, group, levels, floats, sides, fold

    def pairs_within(self, width: int) -> Iterator[Chairs]:
        """Yield the pairs whose distance from the fold is at most ``width``, and all byes."""
        size = self.field.size
        for one, group in enumerate(self.field.group):
            end, middle = self.ends[group], one + self.fold_distance(one, 0)
            for other in range(max(one + 1, middle - width), min(end, middle + width + 1)):
                yield one, other
            for other in range(end, min(size, one + width + 2)):
                yield one, other
            if size % 2:
                yield one, None


def _match(costs: PairWeights, width: int) -> list[Chairs] | None:
    """Return the best matching of the pairs near the fold; ``None`` where there is no perfect one."""
    pairs = list(costs.pairs_within(width))
    return _match_pairs(costs.field.size, pairs, [costs.of(*pair) for pair in pairs])


def _match_pairs(size: int, pairs: Sequence[Chairs], costs: Sequence[Sequence[int]]) -> list[Chairs] | None:
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (size + size % 2))
    weights = _pack_weights(size, pairs, costs)
    graph.add_edges_from([(one, size if other is None else other, weight) for (one, other), weight in zip(pairs, weights, strict=True)])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    if 2 * len(matched) < size:
        return None
    return [(min(pair), None if max(pair) == size else max(pair)) for pair in matched]


def _pack_weights(size: int, pairs: Sequence[Chairs], costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the costs as single numbers of which more is better: no sum of a lower level reaches one of a higher level."""
    tables, byes = ([cost for pair, cost in zip(pairs, costs, strict=True) if (pair[1] is None) == bye] for bye in (False, True))
    most, once = (list(map(max, zip(*some, strict=True))) or [0] * len(costs[0]) for some in (tables, byes))
    bases = [1 + size // 2 * many + one for many, one in zip(most, once, strict=True)]
    totals = [_pack_weight(cost, bases) for cost in costs]
    dearest = max(totals)
    assert dearest.bit_length() <= _LONGEST_WEIGHT, f"{dearest.bit_length()} bits are too many for the matching"
    return [dearest - total for total in totals]


def _pack_weight(cost: Sequence[int], bases: Sequence[int]) -> int:
    total = 0
    for value, base in zip(cost, bases, strict=True):
        total = total * base + value
    return total


# The proof that pairs farther from the fold are not better.


def _is_minimum(costs: PairWeights, total: Cost, width: int) -> bool:
    repeats, *bye, levels, floats, sides, fold = total
    if (width + 1) ** 2 <= fold or bye != [0, _minimum_bye(costs.field)] or repeats > _count_forced_repeats(costs.field):
        return False
    crossed = _count_odd_groups(costs.field, bye[-1])
    return (levels, floats, sides) == (crossed, 0, 0) or total[:6] == _floor(costs, levels - crossed)


def _count_forced_repeats(field: PlaceField) -> int:
    """Return how many encounters are repeated at least, because more than half of the field have all met: a large club that is kept apart.
    The others, and the bye, are too few for them.
    """
    met = Counter(one for pair in field.met for one in pair)
    known = [one for one in range(field.size) if 2 * (met[one] + 1) > field.size]
    others = field.size - len(known) + field.size % 2
    if len(known) <= others or any(pair not in field.met for pair in combinations(known, 2)):
        return 0
    return (len(known) - others + 1) // 2


def _minimum_bye(field: PlaceField) -> int:
    """Return how far above the lowest group the bye goes at best; 0 where there is none."""
    last = field.group[-1]
    return min((last - group for group, spared in zip(field.group, field.spared, strict=True) if not spared), default=0) * (field.size % 2)


def _count_odd_groups(field: PlaceField, bye_group: int) -> int:
    """Return how many borders between groups have an odd number above them: each has to be crossed."""
    sizes, last = Counter(field.group), field.group[-1]
    if field.size % 2:
        sizes[last - bye_group] -= 1
    above = crossed = 0
    for group in range(last):
        above += sizes[group]
        crossed += above % 2
    return crossed


def _floor(costs: PairWeights, excess: int) -> Sequence[int] | None:
    """Return a lower bound of the first six costs for a field without repeats; ``None`` where that is too dear to find.

    ``excess``: how many more levels were crossed than there are odd borders. A pair over ``n`` levels has ``n * (n - 1)`` of it.
    """
    field = costs.field
    kept = _cut_groups(field, excess)
    whole = {group for group, size in Counter(field.group[one] for one in kept).items() if size == costs.sizes[group]}
    pairs = list(islice(_list_floor_pairs(field, kept, whole, excess), _MOST_FLOOR_PAIRS))
    number = {one: place for place, one in enumerate(kept)}
    floors = {(number[one], other and number[other]): _floor_weight(costs, (one, other), whole) for one, other in pairs}
    found = _match_pairs(len(kept), list(floors), list(floors.values())) if len(pairs) < _MOST_FLOOR_PAIRS else None
    return tuple(map(sum, zip(*(floors[pair] for pair in found), strict=True))) if found else None


def _cut_groups(field: PlaceField, excess: int) -> list[int]:
    """Return the places that are left: of large groups those who may float anywhere, as many as anybody could need to exchange with."""
    rounds = max(Counter(one for pair in field.met for one in pair).values(), default=0)
    needed = rounds + excess + 4
    large = max(4 * rounds + excess + 4, 2 * needed)
    places: dict[int, list[int]] = {}
    for place, group in enumerate(field.group):
        places.setdefault(group, []).append(place)
    kept: list[int] = []
    for members in places.values():
        free = [one for one in members if not (field.spared[one] or field.floated[one] or field.side[one])]
        enough = needed + (len(members) - needed) % 2
        kept += free[:enough] if len(members) > large and len(free) >= enough else members
    return kept


def _list_floor_pairs(field: PlaceField, kept: Sequence[int], whole: set[int], excess: int) -> Iterator[Chairs]:
    for start, one in enumerate(kept):
        group = field.group[one]
        for other in kept[start + 1 :]:
            levels = field.group[other] - group
            if levels * (levels - 1) > excess or any(between not in whole for between in range(group + 1, field.group[other])):
                break
            yield one, other
        if field.size % 2:
            yield one, None


def _floor_weight(costs: PairWeights, pair: Chairs, whole: set[int]) -> Sequence[int]:
    """Return the first six costs; within a group that was cut nobody has met."""
    one, other = pair
    repeats, *cost = costs.of(one, other)[:6]
    group = costs.field.group
    within = other is not None and group[one] == group[other] and group[one] not in whole
    return (0 if within else repeats, *cost)
