"""Tables of several players each for himself, and tables at which partners change: nobody should meet the same people again and again.

No schedule is known that does this for every number of entrants, so it is sought: the entrants are laid out at the tables in the
order of their scores, equals by lot, and as long as an exchange of two makes the round better, they change places. That is done
from several draws of the lots, and the best round is taken.

What is better: fewer partnerships and encounters that there had been, each the worse the more often it happened; then, in a Swiss,
tables whose players have come equally far.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from domain.errors import Refused
from domain.events.tournament import TournamentAnnounced
from domain.standings.lots import lot
from domain.standings.outcome import Bye, Outcome
from domain.standings.plan import FORMATS, table_shape
from domain.tournament.pairing.ranking import Ranking, ranking
from domain.tournament.pairing.search import Relations, settled
from domain.tournament.pairing.tables import Pairing, Parties, encounters, met, partnerships
from domain.tournament.state import Entrant

_TRIES = 200
"""Divided by the number of entrants, this is how often the lots are drawn. Large fields hardly gain by more draws."""
# An old partner as partner, an old opponent as opponent, and either in the other part.
_PARTNERED, _OPPOSED, _KNOWN = 12, 4, 1


def draw(plan: TournamentAnnounced, entrants: Sequence[Entrant], outcomes: Sequence[Outcome], byes: Sequence[Bye], round: int) -> Pairing:
    """Raises ``Refused`` where there are too few for one table. Entrants left over have a bye: the last of those with the fewest byes."""
    shape, ranked, earlier = table_shape(plan), ranking(plan, entrants, outcomes, byes, round), met(outcomes)
    if len(ranked.order) < sum(shape):
        raise Refused("too_few_entrants", needed=sum(shape))
    left = _left(ranked, sum(shape), byes)
    everybody = FORMATS[plan.format].all_meet
    levels = {one: 0 if everybody else ranked.group[one] for one in ranked.order if one not in left}
    relations = _relations(levels, sum(shape), earlier)
    tables = min((settled(order, shape, relations) for order in _orders(plan.seed, levels, round)), key=relations.cost)
    had = encounters(earlier)
    repeated = sorted((min(pair), max(pair)) for pair in encounters(tables) if had[pair])
    return Pairing(tables, left, tuple(repeated))


def _left(ranked: Ranking, size: int, byes: Sequence[Bye]) -> tuple[int, ...]:
    had = [bye.entrant for bye in byes]
    last_first = ranked.order[::-1]
    return tuple(sorted(last_first, key=had.count)[: len(last_first) % size])


def _orders(seed: str, levels: Mapping[int, int], round: int) -> Iterator[list[int]]:
    for number in range(max(1, _TRIES // len(levels))):
        lots = {one: lot(seed, "draw", round, number, one) for one in levels}
        yield sorted(levels, key=lambda one: (levels[one], lots[one]))


def _relations(levels: Mapping[int, int], size: int, earlier: Sequence[Parties]) -> Relations:
    """How often two met weighs more than all that the levels of a round can differ."""
    partnered, opposed = partnerships(earlier), encounters(earlier)
    # So an encounter that is repeated is never the price for closer levels.
    weight = 1 + len(levels) * size * max(levels.values()) ** 2
    as_partners, as_opponents = {}, {}
    for one, other in permutations(levels, 2):
        pair, apart = frozenset((one, other)), (levels[one] - levels[other]) ** 2
        together, against = partnered[pair], opposed[pair]
        as_partners[one, other] = (_PARTNERED * together**2 + _KNOWN * against) * weight + apart
        as_opponents[one, other] = (_OPPOSED * against**2 + _KNOWN * together) * weight + apart
    return Relations(as_partners, as_opponents)
