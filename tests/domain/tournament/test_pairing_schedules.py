"""Changing partners: all are partners once and opponents twice. Tables of single players: all are opponents once."""

from collections import Counter
from itertools import combinations

from msgspec.structs import replace

from domain.tournament.pairing.circular_schedules import FIRST_ROUNDS, SINGLE_PLAYERS, partner_schedule, rounds_of
from domain.tournament.pairing.tables import count_opponents, count_partners
from tests.domain.tournament import fields
from tests.domain.tournament.fields import a_plan, draw, field, played, withdrawn
from tests.each import each

PLAN = a_plan("round_robin", entrants="players")


def everybody(size: int, times: int) -> Counter[frozenset[int]]:
    return Counter({frozenset(pair): times for pair in combinations(range(1, size + 1), 2)})


@each("size", FIRST_ROUNDS)
def test_a_whole_tournament_is_perfectly_balanced(size: int):
    draws = fields.rounds_of(replace(PLAN, rounds=rounds_of(size)), field(size), rounds_of(size))
    tables = [table for found in draws for table in found.tables]
    assert count_partners(tables) == everybody(size, 1)
    assert count_opponents(tables) == everybody(size, 2)
    assert sorted(entrant for found in draws for entrant in found.byes) == (list(range(1, size + 1)) if size % 4 else [])


@each("size", FIRST_ROUNDS)
def test_in_every_round_everybody_sits_once_or_has_the_bye(size: int):
    for number in range(1, rounds_of(size) + 1):
        seated = [entrant for table in partner_schedule(size).tables(range(1, size + 1), number) for party in table for entrant in party]
        assert len(seated) == len(set(seated)) == size - size % 4


@each(("size", "seats"), [*SINGLE_PLAYERS, (9, 3)])
def test_single_players_meet_everybody_once_in_as_few_rounds_as_possible(size: int, seats: int):
    plan = a_plan("round_robin", parties=tuple((seat,) for seat in range(seats)), entrants="players")
    draws = fields.rounds_of(plan, field(size), (size - 1) // (seats - 1))
    assert count_opponents(table for found in draws for table in found.tables) == everybody(size, 1)


def test_of_fewer_rounds_the_ones_without_repeats_are_sought():
    draws = fields.rounds_of(replace(PLAN, rounds=6), field(24), 6)
    assert set(count_opponents(table for found in draws for table in found.tables).values()) == {1}


def test_who_sits_where_follows_from_the_seed():
    plan = replace(PLAN, rounds=7)
    assert draw(plan, field(8), [], [], 1) == draw(plan, field(8), [], [], 1)
    assert draw(plan, field(8), [], [], 1) != draw(replace(plan, seed="another"), field(8), [], [], 1)


def test_after_a_withdrawal_the_rest_is_sought():
    plan = replace(PLAN, rounds=7)
    first = draw(plan, field(8), [], [], 1)
    outcomes, byes = played(first, 1, plan.seed)
    found = draw(plan, withdrawn(field(8), 1, 2), outcomes, byes, 2)
    seated = [entrant for table in found.tables for party in table for entrant in party]
    assert sorted([*seated, *found.byes]) == [2, 3, 4, 5, 6, 7, 8]


def test_after_a_round_that_was_paired_by_hand_the_rest_is_sought():
    plan, first = replace(PLAN, rounds=7), draw(replace(PLAN, rounds=7), field(8), [], [], 1)
    other = replace(first, tables=(((1, 2), (3, 4)), ((5, 6), (7, 8))))
    outcomes, byes = played(other, 1, plan.seed)
    assert draw(plan, field(8), outcomes, byes, 2).repeated == ()
