"""Schedules of whole tournaments in which everybody meets everybody equally often, for changing partners and for tables of three and four.

They are cyclic. One round is given, by the places that the players have on a circle; for the next one everybody moves on.

Changing partners (whist): every two are partners once and opponents twice. Everybody moves on by one. If their number is 4n the last one
stays in place, and there are 4n - 1 rounds; if it is 4n + 1 there are as many rounds as players, and each has one bye. Nine players have no
such round.

Single players at tables of three or four (Kirkman's schoolgirls, social golfers): no two meet twice. The last one stays in place, the
others move on by one less than a table has seats.

All rounds below were found by search.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Outcome, table_shape
from domain.standings.tie_breaks import lot
from domain.tournament.pairing.tables import DrawTask, Pairing, Parties

Places: TypeAlias = tuple[int, ...]

FIRST_ROUNDS: Mapping[int, tuple[Places, ...]] = {
    4: ((3, 0, 1, 2),),
    5: ((1, 4, 2, 3),),
    8: ((7, 0, 5, 1), (2, 3, 4, 6)),
    12: ((11, 0, 8, 9), (1, 7, 2, 5), (3, 10, 6, 4)),
    13: ((1, 10, 7, 5), (2, 8, 3, 4), (6, 11, 9, 12)),
    16: ((15, 0, 2, 11), (1, 4, 7, 12), (3, 5, 6, 13), (8, 9, 10, 14)),
    17: ((1, 3, 12, 8), (2, 7, 15, 4), (5, 13, 6, 16), (9, 10, 14, 11)),
    20: ((19, 0, 12, 10), (1, 9, 17, 3), (2, 6, 7, 13), (4, 14, 5, 8), (11, 18, 15, 16)),
    21: ((1, 11, 13, 16), (2, 8, 20, 4), (3, 15, 7, 14), (5, 9, 19, 6), (10, 12, 17, 18)),
    24: ((23, 0, 11, 21), (1, 15, 18, 6), (2, 22, 19, 3), (4, 8, 16, 17), (5, 20, 12, 10), (7, 13, 9, 14)),
    25: ((1, 22, 23, 13), (2, 16, 24, 6), (3, 8, 12, 14), (4, 21, 9, 15), (5, 17, 10, 7), (11, 20, 18, 19)),
    28: ((27, 0, 15, 1), (2, 20, 4, 26), (3, 19, 25, 21), (5, 11, 24, 12), (6, 9, 23, 13), (7, 8, 16, 18), (10, 17, 22, 14)),
    32: (
        (31, 0, 8, 18),
        (1, 21, 22, 27),
        (2, 19, 28, 16),
        (3, 4, 10, 7),
        (5, 12, 14, 20),
        (6, 29, 17, 30),
        (9, 13, 25, 23),
        (11, 26, 24, 15),
    ),
}
"""The first round by the number of players: at each table two partners and their opponents."""

SINGLE_PLAYERS: Mapping[tuple[int, int], tuple[Places, ...]] = {
    (15, 3): ((14, 0, 1), (2, 12, 11), (3, 9, 5), (4, 10, 7), (6, 13, 8)),
    (16, 4): ((15, 0, 1, 2), (3, 12, 7, 10), (4, 11, 8, 13), (5, 9, 14, 6)),
    (27, 3): (
        (26, 0, 1),
        (2, 16, 23),
        (3, 17, 13),
        (4, 22, 21),
        (5, 25, 12),
        (6, 11, 9),
        (7, 18, 15),
        (8, 19, 10),
        (14, 20, 24),
    ),
    (28, 4): (
        (27, 0, 1, 2),
        (3, 17, 24, 14),
        (4, 8, 25, 23),
        (5, 19, 10, 26),
        (6, 16, 21, 13),
        (7, 22, 18, 9),
        (11, 20, 12, 15),
    ),
}
"""The first round by the number of players and of seats at a table."""


def rounds_of(players: int) -> int:
    """Return how many rounds a whole tournament with changing partners has."""
    return players if players % 4 else players - 1


def draw(task: DrawTask) -> Pairing | None:
    """Return the pairing; ``None`` if no schedule is known for the plan, it has no more rounds, or an earlier round was another one."""
    plan, outcomes, round = task.plan, task.outcomes, task.round
    field = sorted((entrant.number for entrant in task.playing), key=lambda entrant: lot(plan.seed, "draw", entrant))
    schedule = _find_schedule(plan, len(field))
    if schedule is None or round > schedule.rounds:
        return None
    if any(_collect_tables(schedule.tables(field, past)) != _collect_tables(_tables_of_round(outcomes, past)) for past in range(1, round)):
        return None
    tables = schedule.tables(field, round)
    seated = {entrant for parties in tables for party in parties for entrant in party}
    return Pairing(tables, tuple(entrant for entrant in field if entrant not in seated))


class Schedule(Struct, frozen=True):
    """A cyclic schedule. ``circle``: the places that move on, each round by ``step``; ``shape``: the players of each party."""

    first: tuple[Places, ...]
    circle: int
    step: int
    rounds: int
    shape: tuple[int, ...]

    def tables(self, field: Sequence[int], round: int) -> tuple[Parties, ...]:
        """Return a round, counted from 1, for these players in the order of their places."""
        moved = (round - 1) * self.step
        return tuple(
            self._seat([field[(place + moved) % self.circle if place < self.circle else place] for place in table]) for table in self.first
        )

    def _seat(self, players: Sequence[int]) -> Parties:
        seated = iter(players)
        return tuple(tuple(next(seated) for _ in range(size)) for size in self.shape)


def partner_schedule(players: int) -> Schedule:
    rounds = rounds_of(players)
    return Schedule(FIRST_ROUNDS[players], rounds, 1, rounds, (2, 2))


def single_schedule(players: int, seats: int) -> Schedule:
    """Return the schedule for single players, as long as two who have not met are left."""
    return Schedule(SINGLE_PLAYERS[players, seats], players - 1, seats - 1, (players - 1) // (seats - 1), (1,) * seats)


def _find_schedule(plan: TournamentAnnounced, players: int) -> Schedule | None:
    """Return the schedule; with changing partners only for a whole tournament, for its first rounds repeat more than a search finds."""
    shape = table_shape(plan)
    if shape == (2, 2) and players in FIRST_ROUNDS and plan.rounds == rounds_of(players):
        return partner_schedule(players)
    if set(shape) == {1} and (players, len(shape)) in SINGLE_PLAYERS:
        return single_schedule(players, len(shape))
    return None


def _tables_of_round(outcomes: Iterable[Outcome], round: int) -> Iterable[Parties]:
    return (outcome.parties for outcome in outcomes if outcome.round == round)


def _collect_tables(tables: Iterable[Parties]) -> set[frozenset[frozenset[int]]]:
    return {frozenset(map(frozenset, parties)) for parties in tables}
