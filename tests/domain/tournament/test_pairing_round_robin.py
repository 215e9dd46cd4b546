"""Everybody meets everybody once."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Refused
from domain.standings.plan import Bye
from domain.tournament.pairing.all_play_all import schedule_rounds
from domain.tournament.state import SkippedRounds
from tests.domain.tournament.fields import a_plan, draw, duel, field, rounds_of, withdrawn

PLAN = a_plan("round_robin")
sizes = st.integers(2, 25)


def pairs(tables):
    return [tuple(entrant for (entrant,) in parties) for parties in tables]


def test_the_schedules_are_the_berger_tables():  # FIDE Handbook C.05, annex 1
    assert schedule_rounds(range(1, 5)) == [((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))]
    assert schedule_rounds(range(1, 7)) == [
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    ]


@given(sizes)
def test_everybody_meets_everybody_once_and_has_at_most_one_bye(size):
    draws = rounds_of(PLAN, field(size), size - 1 + size % 2)
    met = Counter(frozenset(pair) for found in draws for pair in pairs(found.tables))
    byes = [entrant for found in draws for entrant in found.byes]
    assert met == Counter(frozenset(pair) for pair in combinations(range(1, size + 1), 2))
    assert sorted(byes) == (list(range(1, size + 1)) if size % 2 else [])
    assert not any(found.repeated for found in draws)


@given(sizes)
def test_nobody_sits_at_two_tables_of_a_round(size):
    for tables in schedule_rounds(range(1, size + 1)):
        seated = [entrant for table in tables for entrant in table]
        assert len(seated) == len(set(seated)) == size - size % 2


@given(sizes)
def test_everybody_is_first_at_a_table_as_often_as_second_give_or_take_one(size):
    tables = [table for tables in schedule_rounds(range(1, size + 1)) for table in tables]
    first, second = Counter(one for one, _ in tables), Counter(other for _, other in tables)
    assert all(abs(first[entrant] - second[entrant]) <= 1 for entrant in range(1, size + 1))


def test_after_a_whole_schedule_the_next_one_begins_with_seats_turned():
    once, again = rounds_of(PLAN, field(4), 3), rounds_of(PLAN, field(4), 6)[3:]
    assert [found.tables for found in again] == [tuple((other, one) for one, other in found.tables) for found in once]
    assert again[0].repeated == ((1, 4), (2, 3))


@given(st.integers(3, 12), st.data())
def test_whoever_stays_meets_all_who_stay_however_many_withdraw(size, data):
    rounds = size - 1 + size % 2
    gone = data.draw(st.dictionaries(st.integers(1, size), st.integers(2, rounds), max_size=size - 2))
    entrants = tuple(field(size))
    for number, since in gone.items():
        entrants = withdrawn(entrants, number, since)
    draws = rounds_of(PLAN, entrants, rounds)
    met = Counter(frozenset(pair) for found in draws for pair in pairs(found.tables))
    stayed = sorted(set(range(1, size + 1)) - set(gone))
    assert [met[frozenset(pair)] >= 1 for pair in combinations(stayed, 2)] == [True] * len(list(combinations(stayed, 2)))


def test_two_who_are_there_and_have_not_met_have_a_table_though_the_schedule_has_them_later():
    entrants = withdrawn(field(3), 2, 2)
    found = draw(PLAN, entrants, [duel(1, 2, 3, 9, 1)], [Bye(1, 1)], 2)
    assert (pairs(found.tables), found.byes) == ([(3, 1)], ())


def test_a_round_that_was_paired_by_hand_is_passed_over():
    by_hand = [duel(1, 4, 3, 9, 1), duel(1, 1, 2, 9, 1)]
    assert pairs(draw(PLAN, field(4), by_hand, [], 2).tables) == [(1, 4), (2, 3)]
    assert pairs(draw(PLAN, field(4), [*by_hand, duel(2, 1, 4, 9, 1), duel(2, 2, 3, 9, 1)], [], 3).tables) == [(2, 4), (3, 1)]


def test_who_withdraws_leaves_a_bye_behind():
    found = draw(PLAN, withdrawn(field(4), 4, 2), [duel(1, 1, 4, 9, 1), duel(1, 2, 3, 9, 1)], [], 2)
    assert (pairs(found.tables), found.byes) == ([(1, 2)], (3,))


def test_who_returns_takes_his_place_in_the_schedule_again():
    entrants = list(field(4))
    entrants[3] = replace(entrants[3], absences=(SkippedRounds(2, 3),))
    outcomes = [duel(1, 1, 4, 9, 1), duel(1, 2, 3, 9, 1), duel(2, 1, 2, 9, 1)]
    found = draw(PLAN, entrants, outcomes, [Bye(2, 3)], 3)
    assert (pairs(found.tables), found.byes) == ([(2, 4), (3, 1)], ())


def test_a_late_entry_is_refused():
    with pytest.raises(Refused) as refused:
        draw(PLAN, field(4), [duel(1, 1, 2, 9, 1)], [Bye(1, 3)], 2)
    assert (refused.value.code, refused.value.detail) == ("late_for_round_robin", {"entrants": (4,)})
