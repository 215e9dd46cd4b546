"""Swiss pairing: entrants with equal scores meet, and no two meet twice.

A round is a perfect matching of least cost. Costs are compared in this order, the first that differs decides:

1. encounters that there had been before;
2. byes for entrants who had one, or won by forfeit: it may go to each entrant once;
3. the score group of the entrant with the bye, which goes to the lowest;
4. the score groups that lie between the two at a table, squared, so that floats are few and short;
5. floats in the same direction as in the round before;
6. the distance from the fold: within a score group the first of the upper half meets the first of the lower half. An entrant who floats
   leaves their group at its nearer end.

The matching is that of the library rustworkx (Edmonds' blossom algorithm). Its time grows with the cube of the entrants.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import rustworkx
from msgspec import Struct

from domain.errors import Refused
from domain.events.tournament import TournamentAnnounced
from domain.standings.outcome import Bye, Outcome
from domain.tournament.pairing.tables import Pair, Pairing, Parties, Ranking, count_opponents, list_paired_tables, ranking
from domain.tournament.state import Entrant

Cost: TypeAlias = tuple[int, int, int, int, int, int]
_BYE = 0
"""Stands for the empty chair where their number is odd. Entrants are numbered from 1."""


class Past(Struct, frozen=True):
    """The restrictions and costs from earlier rounds: encounters, byes, and the direction of the last float (1 down, -1 up)."""

    met: Counter[Pair]
    spared: Counter[int]
    floated: dict[int, int]


def draw(plan: TournamentAnnounced, entrants: Sequence[Entrant], outcomes: Sequence[Outcome], byes: Sequence[Bye], round: int) -> Pairing:
    """Return the pairing. Encounters are repeated only if there is no other pairing. Raises ``Refused`` if there are not two entrants."""
    ranked = ranking(plan, entrants, outcomes, byes, round)
    if len(ranked.order) < 2:
        raise Refused("too_few_entrants", needed=2)
    past = _past(ranked, outcomes)
    costs = dict(_list_pair_weights(ranked, past))
    pairs = sorted(_matching(ranked, costs), key=lambda pair: min(ranked.order.index(one) for one in pair if one != _BYE))
    first = Counter(outcome.parties[0][0] for outcome in outcomes)
    tables = [_seat_pair(pair, first, ranked.order) for pair in pairs if _BYE not in pair]
    left = tuple(max(pair) for pair in pairs if _BYE in pair)
    repeated = tuple((one, other) for (one,), (other,) in tables if past.met[frozenset((one, other))])
    return Pairing(tuple(tables), left, repeated)


def _past(ranked: Ranking, outcomes: Sequence[Outcome]) -> Past:
    spared = Counter(
        entrant for entrant, shares in ranked.rows.items() for one in shares if one.how in ("bye", "forfeited") and not one.missed
    )
    return Past(count_opponents(list_paired_tables(outcomes)), spared, {entrant: _float(ranked, entrant) for entrant in ranked.order})


def _float(ranked: Ranking, entrant: int) -> int:
    """Return the float of an entrant in the last round: 1 down, to an opponent with less, or to the bye; -1 up."""
    last = ranked.rows[entrant][-1] if ranked.rows[entrant] else None
    if last is None or not last.opponents:
        return int(last is not None and last.how == "bye")
    own, other = (sum(one.score for one in ranked.rows[who][:-1]) for who in (entrant, last.opponents[0]))
    return (own > other) - (own < other)


def _list_pair_weights(ranked: Ranking, past: Past) -> Iterator[tuple[tuple[int, int], Cost]]:
    size = Counter(ranked.group.values())
    for (place, one), (behind, other) in combinations(enumerate(ranked.order), 2):
        levels = ranked.group[other] - ranked.group[one]
        floats = (past.floated[one] == 1) + (past.floated[other] == -1) if levels else 0
        ideal = 1 if levels else (size[ranked.group[one]] + 1) // 2
        yield (one, other), (past.met[frozenset((one, other))], 0, 0, levels**2, floats, (behind - place - ideal) ** 2)
    if len(ranked.order) % 2:
        lowest = max(ranked.group.values())
        for behind, one in enumerate(reversed(ranked.order)):
            yield (one, _BYE), (0, past.spared[one], lowest - ranked.group[one], 0, int(past.floated[one] == 1), behind**2)


def _matching(ranked: Ranking, costs: dict[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    """Return the perfect matching with the least sum of costs, level by level."""
    weights = _weights(list(costs.values()))
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    chairs = [*ranked.order, *([_BYE] if len(ranked.order) % 2 else [])]
    node = dict(zip(chairs, graph.add_nodes_from(chairs), strict=True))
    graph.add_edges_from([(node[one], node[other], weight) for (one, other), weight in zip(costs, weights, strict=True)])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    return [(graph[one], graph[other]) for one, other in matched]


def _weights(costs: Sequence[Cost]) -> list[int]:
    """Return the costs as single numbers of which more is better: no sum of a lower level reaches one of a higher level."""
    # The chairs that have so many pairs. A round has half as many tables, so no sum of a level reaches its base.
    chairs = 1 + int((2 * len(costs)) ** 0.5)
    bases = [1 + chairs * max(level) for level in zip(*costs, strict=True)]
    totals = [_pack_weight(cost, bases) for cost in costs]
    dearest = max(totals)
    return [dearest - total for total in totals]


def _pack_weight(cost: Cost, bases: Sequence[int]) -> int:
    total = 0
    for value, base in zip(cost, bases, strict=True):
        total = total * base + value
    return total


def _seat_pair(pair: tuple[int, int], first: Counter[int], order: Sequence[int]) -> Parties:
    """Return the pair in seating order: the one who was first at a table less often is first; of equals the one behind."""
    one, other = sorted(pair, key=lambda entrant: (first[entrant], -order.index(entrant)))
    return (one,), (other,)
