"""Statistics of a ruleset from finished games: observations that add up, and figures with 95 % confidence intervals made of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

Measure: TypeAlias = Literal["share", "mean", "per_hundred"]
EstimateName: TypeAlias = Literal[
    "win_by_seat",
    "win_as_dealer",
    "hand_end",
    "hand_moves",
    "hand_seconds",
    "hand_points",
    "move_type",
    "refusals",
    "corrections",
    "partners_together",
    "partners_apart",
]
MEASURES: Mapping[EstimateName, Measure] = {
    "win_by_seat": "share",
    "win_as_dealer": "share",
    "hand_end": "share",
    "hand_moves": "mean",
    "hand_seconds": "mean",
    "hand_points": "mean",
    "move_type": "share",
    "refusals": "share",
    "corrections": "per_hundred",
    "partners_together": "share",
    "partners_apart": "share",
}
"""The figures in their order."""
_PARTITIONS = frozenset({"hand_end", "move_type", "refusals"})
"""Shares of which the groups are parts of one whole; elsewhere each group has its own successes and failures."""
PAIRS = 20
"""Partnerships in the list: those with the most games."""
BINS = 12
_Z = NormalDist().inv_cdf(0.975)

Group: TypeAlias = tuple[str, ...]


class Sample(NamedTuple):
    """What was observed in a group: of a mean the value; of a share whether it happened (1 or 0); of a rate an event (1) or an occasion
    (0).
    """

    figure: EstimateName
    group: Group
    value: int


Samples: TypeAlias = Mapping[Sample, int]
"""Samples and how often each was made."""


class Estimate(Struct, frozen=True, kw_only=True):
    """A figure of a group: ``count`` of ``of`` is a share or a rate; of a mean both are the number of observations.

    ``low`` and ``high`` bound the value with 95 % confidence; ``None`` where too little was observed. With ``at_least`` it is the share of
    the observations from there to below ``below``.
    """

    figure: EstimateName
    group: Group = ()
    measure: Measure
    count: int
    of: int
    value: float
    low: float | None
    high: float | None
    at_least: int | None = None
    below: int | None = None


def list_estimates(observed: Samples) -> Iterator[Estimate]:
    """Yield the figures of these observations."""
    for figure, measure in MEASURES.items():
        groups: dict[Group, Counter[int]] = {}
        for one, times in observed.items():
            if one.figure == figure:
                groups.setdefault(one.group, Counter())[one.value] += times
        whole = sum(values[1] for values in groups.values()) if figure in _PARTITIONS else None
        for group, values in _sort_groups(figure, groups):
            match measure:
                case "share":
                    yield _find_share(figure, group, values[1], whole or values.total())
                case "per_hundred":
                    yield _find_rate(figure, group, values[1], values[0])
                case "mean":
                    yield from _describe_values(figure, group, values)


def _sort_groups(figure: EstimateName, groups: Mapping[Group, Counter[int]]) -> Iterable[tuple[Group, Counter[int]]]:
    """Return the groups by number or name; parts of a whole the largest first."""

    def order(group: Group) -> tuple[int, Sequence[int], Group]:
        return -groups[group][1] if figure in _PARTITIONS else 0, [len(part) for part in group], group

    return [(group, groups[group]) for group in sorted(groups, key=order)]


def select_partners(observed: Samples) -> Counter[Sample]:
    """Return the observations with the partnerships that played most, and with those of their games that the partners played apart.

    Before, ``partners_apart`` holds each player's games with any partner, a group a player.
    """
    found, games = Counter[Sample](), Counter[Group]()
    for one, times in observed.items():
        if one.figure == "partners_together":
            games[one.group] += times
        elif one.figure != "partners_apart":
            found[one] = times
    for pair in sorted(games, key=lambda pair: (-games[pair], pair))[:PAIRS]:
        for won in (0, 1):
            together = observed.get(Sample("partners_together", pair, won), 0)
            each = sum(observed.get(Sample("partners_apart", (player,), won), 0) for player in pair)
            found[Sample("partners_together", pair, won)] = together
            found[Sample("partners_apart", pair, won)] = each - 2 * together
    return +found


def _find_share(figure: EstimateName, group: Group, count: int, of: int, **bounds: int) -> Estimate:
    low, high = share_interval(count, of)
    return Estimate(figure=figure, group=group, measure="share", count=count, of=of, value=count / of, low=low, high=high, **bounds)


def _find_rate(figure: EstimateName, group: Group, count: int, of: int) -> Estimate:
    scale = 100 / of if of else 0.0
    low, high = (scale * bound for bound in count_interval(count))
    return Estimate(figure=figure, group=group, measure="per_hundred", count=count, of=of, value=scale * count, low=low, high=high)


def _describe_values(figure: EstimateName, group: Group, values: Counter[int]) -> Iterator[Estimate]:
    """Yield the mean, then the share of each bin."""
    number = values.total()
    mean = sum(value * times for value, times in values.items()) / number
    spread = sum((value - mean) ** 2 * times for value, times in values.items())
    margin = _Z * sqrt(spread / (number - 1) / number) if number > 1 else None
    low, high = (None, None) if margin is None else (mean - margin, mean + margin)
    yield Estimate(figure=figure, group=group, measure="mean", count=number, of=number, value=mean, low=low, high=high)
    width = bin_width(min(values), max(values))
    bins = Counter[int]()
    for value, times in values.items():
        bins[value // width] += times
    for place in range(min(bins), max(bins) + 1):
        yield _find_share(figure, group, bins[place], number, at_least=place * width, below=(place + 1) * width)


def bin_width(low: int, high: int) -> int:
    """Return the width of bins, 1, 2 or 5 times a power of ten, with which at most ``BINS`` + 1 bins cover the values."""
    power = 1
    while True:
        for step in (1, 2, 5):
            if (high - low) <= step * power * (BINS - 1):
                return step * power
        power *= 10


def share_interval(count: int, of: int) -> tuple[float, float]:
    """Return the bounds of a share by Wilson: they stay within 0 and 1, also of few observations."""
    share, square = count / of, _Z * _Z / of
    middle, half = share + square / 2, _Z * sqrt(share * (1 - share) / of + square / of / 4)
    return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


def count_interval(count: int) -> tuple[float, float]:
    """Return the bounds of the expected number of rare events, by Byar's approximation of the Poisson distribution."""
    return (_bound(count, -1) if count else 0.0), _bound(count + 1, 1)


def _bound(count: int, sign: int) -> float:
    return count * (1 - 1 / (9 * count) + sign * _Z / (3 * sqrt(count))) ** 3
