"""Whist tournaments: with changing partners every two entrants are partners once and opponents twice.

They are cyclic. One round is given, by the places that the players have on a circle; for the next one everybody moves on by one. If their
number is 4n the last one stays in place, and there are 4n - 1 rounds; if it is 4n + 1 there are as many rounds as players, and each has one
bye. The rounds below were found by search: the distances between partners on the circle are all different, those between opponents come
twice each. Nine players have no such round.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from domain.events.tournament import TournamentAnnounced
from domain.standings.outcome import Outcome
from domain.standings.plan import table_shape
from domain.standings.tie_break_values import lot
from domain.tournament.pairing.tables import Pairing, Parties

Quad: TypeAlias = tuple[int, int, int, int]

FIRST_ROUNDS: Mapping[int, tuple[Quad, ...]] = {
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


def rounds_of(players: int) -> int:
    """Return how many rounds a whole tournament has."""
    return players if players % 4 else players - 1


def draw(plan: TournamentAnnounced, playing: Iterable[int], outcomes: Sequence[Outcome], round: int) -> Pairing | None:
    """Return the pairing; ``None`` if no whole tournament was announced, none is known, or an earlier round was another one."""
    field = sorted(playing, key=lambda entrant: lot(plan.seed, "draw", entrant))
    if plan.rounds != rounds_of(len(field)) or table_shape(plan) != (2, 2) or len(field) not in FIRST_ROUNDS:
        return None
    if any(_collect_tables(tables_of(field, number)) != _collect_tables(_tables_of_round(outcomes, number)) for number in range(1, round)):
        return None
    tables = tables_of(field, round)
    seated = {entrant for parties in tables for party in parties for entrant in party}
    return Pairing(tables, tuple(entrant for entrant in field if entrant not in seated))


def tables_of(field: Sequence[int], round: int) -> tuple[Parties, ...]:
    """Return a round, counted from 1, for these players in the order of their places."""
    circle = rounds_of(len(field))

    def at(place: int) -> int:
        return field[(place + round - 1) % circle if place < circle else place]

    return tuple(((at(one), at(two)), (at(three), at(four))) for one, two, three, four in FIRST_ROUNDS[len(field)])


def _tables_of_round(outcomes: Iterable[Outcome], round: int) -> Iterable[Parties]:
    return (outcome.parties for outcome in outcomes if outcome.round == round)


def _collect_tables(tables: Iterable[Parties]) -> set[frozenset[frozenset[int]]]:
    return {frozenset(map(frozenset, parties)) for parties in tables}
