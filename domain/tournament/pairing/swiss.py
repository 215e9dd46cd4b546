"""Swiss pairing: entrants with equal scores meet, and no two meet twice.

A round is a perfect matching of least cost. Costs are compared in this order, the first that differs decides:

1. encounters that there had been before;
2. byes for entrants who had one, or won by forfeit: it may go to each entrant once;
3. the score group of the entrant with the bye, which goes to the lowest;
4. the score groups that lie between the two at a table, squared, so that floats are few and short;
5. floats in the same direction as in the round before;
6. tables at which both are due the same side: nobody has one side three times running, or three times more than the other;
7. the distance from the fold: within a score group the first of the upper half meets the first of the lower half. An entrant who floats
   leaves their group at its nearer end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.errors import Refused
from domain.standings.plan import Outcome
from domain.tournament.pairing.minimum_weight import PlaceField, match_places
from domain.tournament.pairing.tables import (
    DrawTask,
    Pair,
    Pairing,
    Parties,
    Ranking,
    count_opponents,
    list_paired_tables,
    ranking,
)

_RUNNING = 2
"""So many tables running on one side, or more of one side than of the other, are the most that anybody should have."""


def draw(task: DrawTask) -> Pairing:
    """Return the pairing. Encounters are repeated only if there is no other pairing. Raises ``Refused`` if there are not two entrants.

    Those who are to be kept apart count as having met. Two who are to meet have a table, and all others are matched without them.
    """
    ranked, wishes = ranking(task), task.wishes
    if len(ranked.order) < 2:
        raise Refused("too_few_entrants", needed=2)
    sides = list_sides(ranked.order, task.outcomes)
    met = count_opponents(list_paired_tables(task.outcomes))
    place = {one: number for number, one in enumerate(ranked.order)}
    wanted = [sorted((place[one], place[other])) for one, other in wishes.meet if one in place and other in place]
    seated = {one for pair in wanted for one in pair}
    free = [one for one in range(len(ranked.order)) if one not in seated]
    field = build_field(ranked, [ranked.order[one] for one in free], met + Counter(wishes.pair_exclusions), sides)
    found = match_places(field) if free else []
    pairs = sorted(
        [*((one, other) for one, other in wanted), *((free[one], None if other is None else free[other]) for one, other in found)]
    )
    tables = tuple(_seat_pair(one, other, ranked.order, sides) for one, other in pairs if other is not None)
    left = tuple(ranked.order[one] for one, other in pairs if other is None)
    repeated = tuple((one, other) for (one,), (other,) in tables if met[frozenset((one, other))])
    return Pairing(tables, left, repeated)


def build_field(ranked: Ranking, order: Sequence[int], met: Mapping[Pair, int], sides: Mapping[int, "Sides"]) -> PlaceField:
    """Return what the earlier rounds say of these entrants, who stand in the order of the ranking."""
    place = {one: number for number, one in enumerate(order)}
    groups = {group: number for number, group in enumerate(sorted({ranked.group[one] for one in order}))}
    encounters = {
        (min(places), max(places)): times for pair, times in met.items() if len(places := [place[one] for one in pair if one in place]) == 2
    }
    return PlaceField(
        group=tuple(groups[ranked.group[one]] for one in order),
        met=encounters,
        spared=tuple(_count_free_wins(ranked, one) for one in order),
        floated=tuple(_float(ranked, one) for one in order),
        side=tuple(sides[one].next_side for one in order),
    )


def _count_free_wins(ranked: Ranking, entrant: int) -> int:
    return sum(one.how in ("bye", "forfeited") and not one.missed for one in ranked.rows[entrant])


def _float(ranked: Ranking, entrant: int) -> int:
    """Return the float of an entrant in the last round: 1 down, to an opponent with less, or to the bye; -1 up."""
    last = ranked.rows[entrant][-1] if ranked.rows[entrant] else None
    if last is None or not last.opponents:
        return int(last is not None and last.how == "bye")
    own, other = (sum(one.score for one in ranked.rows[who][:-1]) for who in (entrant, last.opponents[0]))
    return (own > other) - (own < other)


class Sides(Struct, frozen=True):
    """The sides of the tables that an entrant played at, round by round: 1 first, -1 second."""

    had: tuple[int, ...]

    @property
    def balance(self) -> int:
        return sum(self.had)

    @property
    def next_side(self) -> int:
        """Return the side that the entrant has to have next: 1 first, -1 second, 0 either."""
        last = self.had[-_RUNNING:]
        if abs(self.balance) >= _RUNNING:
            return -1 if self.balance > 0 else 1
        return -last[-1] if len(last) == _RUNNING and len(set(last)) == 1 else 0


def list_sides(order: Sequence[int], outcomes: Sequence[Outcome]) -> Mapping[int, Sides]:
    """Return the sides that each entrant has had. A forfeited table counts as none."""
    had: dict[int, tuple[int, ...]] = dict.fromkeys(order, ())
    for outcome in sorted(outcomes, key=lambda one: one.round):
        if outcome.how != "forfeited":
            for (entrant,), side in zip(outcome.parties, (1, -1), strict=True):
                had[entrant] = (*had.get(entrant, ()), side)
    return {entrant: Sides(sides) for entrant, sides in had.items()}


def _seat_pair(place: int, behind: int, order: Sequence[int], sides: Mapping[int, Sides]) -> Parties:
    """Return the pair in seating order: whoever has to be first, then who was first less often, then who was second last, then the one
    behind.
    """

    def first_before(chair: int) -> tuple[int, int, int, int]:
        own = sides[order[chair]]
        return -own.next_side, own.balance, own.had[-1] if own.had else 0, -chair

    one, other = sorted((place, behind), key=first_before)
    return (order[one],), (order[other],)
