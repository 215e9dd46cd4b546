"""Tables of several players each for himself, and tables at which partners change: nobody should meet the same people again and again.

No schedule is known that does this for every number of entrants, so it is sought: the entrants are laid out at the tables in the
order of their scores, equals by lot, and as long as an exchange of two makes the round better, they change places. That is done
from several draws of the lots, and the best round is taken.

What is better: fewer partnerships and encounters that there had been, each the worse the more often it happened; then, in a Swiss,
tables whose players have come equally far.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from domain.errors import Refused
from domain.events.tournament import TournamentAnnounced
from domain.tournament.lots import lot
from domain.tournament.outcome import Bye, Outcome
from domain.tournament.pairing.draw import Draw, Parties, encounters, met, partnerships
from domain.tournament.pairing.ranking import Ranking, ranking
from domain.tournament.pairing.search import Relations, settled
from domain.tournament.plan import table_shape
from domain.tournament.state import Entrant

_TRIES = 200
"""Divided by the number of entrants: how often the lots are drawn. Large fields hardly gain by it."""
# An old partner as partner, an old opponent as opponent, and either in the other part.
_PARTNERED, _OPPOSED, _KNOWN = 12, 4, 1


def groups(plan: TournamentAnnounced, entrants: Sequence[Entrant], outcomes: Sequence[Outcome], byes: Sequence[Bye], round: int) -> Draw:
    """Raises ``Refused`` where there are too few for one table. Who is too many has a bye: the last of those who had the fewest."""
    shape, ranked = table_shape(plan), ranking(plan, entrants, outcomes, byes, round)
    if len(ranked.order) < sum(shape):
        raise Refused("too_few_entrants", needed=sum(shape))
    left = _left(ranked, sum(shape), byes)
    playing = [entrant for entrant in ranked.order if entrant not in left]
    relations = _relations(plan, ranked, playing, met(outcomes))
    rounds = [settled(order, shape, relations) for order in _orders(plan, ranked, playing, round)]
    tables = min(rounds, key=relations.cost)
    had = encounters(met(outcomes))
    repeated = sorted((min(pair), max(pair)) for pair in encounters(tables) if had[pair])
    return Draw(tables, left, tuple(repeated))


def _left(ranked: Ranking, size: int, byes: Sequence[Bye]) -> tuple[int, ...]:
    had = [bye.entrant for bye in byes]
    last_first = ranked.order[::-1]
    return tuple(sorted(last_first, key=had.count)[: len(last_first) % size])


def _orders(plan: TournamentAnnounced, ranked: Ranking, playing: Sequence[int], round: int) -> Iterator[list[int]]:
    for number in range(max(1, _TRIES // len(playing))):
        yield sorted(playing, key=lambda one: (_level(plan, ranked, one), lot(plan.seed, "draw", round, number, one)))


def _level(plan: TournamentAnnounced, ranked: Ranking, entrant: int) -> int:
    return ranked.group[entrant] if plan.format == "swiss" else 0


def _relations(plan: TournamentAnnounced, ranked: Ranking, playing: Sequence[int], tables: Sequence[Parties]) -> Relations:
    partnered, opposed = partnerships(tables), encounters(tables)
    levels = {one: _level(plan, ranked, one) for one in playing}
    spread = 1 + len(playing) * sum(table_shape(plan)) * max(levels.values()) ** 2
    as_partners, as_opponents = {}, {}
    for one, other in combinations(playing, 2):
        pair, apart = frozenset((one, other)), (levels[one] - levels[other]) ** 2
        together, against = partnered[pair], opposed[pair]
        for key in ((one, other), (other, one)):
            as_partners[key] = (_PARTNERED * together**2 + _KNOWN * against) * spread + apart
            as_opponents[key] = (_OPPOSED * against**2 + _KNOWN * together) * spread + apart
    return Relations(as_partners, as_opponents)
