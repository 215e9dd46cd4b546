"""Tables of several players each for himself, changing partners, and players alone."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Refused
from domain.standings.plan import Scoring
from domain.tournament.pairing.tables import DrawTask, count_opponents, count_partners, ranking
from tests.domain.tournament.fields import FOUR, POINTS, a_plan, draw, field, played, rounds_of
from tests.each import each

ROTATING = a_plan("round_robin", entrants="players")
SWISS = a_plan("swiss", entrants="players")
FOURS = a_plan("swiss", parties=FOUR, entrants="players", scoring=Scoring("match_points", (3, 2, 1, 0)))
ALONE = a_plan("round_robin", parties=((0,),), entrants="players", scoring=POINTS)


def met(draws):
    return max(count_opponents(table for found in draws for table in found.tables).values())


def partnered(draws):
    return max(count_partners(table for found in draws for table in found.tables).values())


@settings(deadline=None, max_examples=10)
@given(st.integers(4, 20), st.integers(1, 4), st.text("ab", min_size=1, max_size=5), st.sampled_from([ROTATING, SWISS, FOURS]))
def test_everybody_sits_once_or_has_a_bye_and_tables_are_full(size, rounds, seed, plan):
    draws = rounds_of(replace(plan, seed=seed), field(size), rounds)
    for found in draws:
        seated = [entrant for table in found.tables for party in table for entrant in party]
        assert sorted([*seated, *found.byes]) == list(range(1, size + 1))
        assert len(found.byes) == size % 4
        assert {tuple(map(len, table)) for table in found.tables} == {(1, 1, 1, 1) if plan is FOURS else (2, 2)}
    byes = Counter(entrant for found in draws for entrant in found.byes)
    assert max(byes.values(), default=0) <= -(-rounds * (size % 4) // size)


@settings(deadline=None, max_examples=10)
@given(st.integers(3, 20), st.integers(1, 3), st.text("ab", min_size=1, max_size=5))
def test_with_smaller_tables_nobody_but_of_five_sits_out_and_as_few_tables_as_can_be_are_smaller(size, rounds, seed):
    for found in rounds_of(replace(FOURS, seed=seed, smaller_tables=True), field(size), rounds):
        seated = [entrant for table in found.tables for party in table for entrant in party]
        assert sorted([*seated, *found.byes]) == list(range(1, size + 1))
        smaller = [len(table) for table in found.tables].count(3)
        assert ({len(table) for table in found.tables} <= {3, 4}, len(found.byes), smaller) == (
            True,
            size == 5,
            0 if size == 5 else -size % 4,
        )


def test_seven_sit_at_a_table_of_four_and_one_of_three_and_two_are_too_few():
    (first,) = rounds_of(replace(FOURS, smaller_tables=True), field(7), 1)
    assert (sorted(map(len, first.tables)), first.byes) == ([3, 4], ())
    with pytest.raises(Refused, match=r"^too_few_entrants$"):
        rounds_of(replace(FOURS, smaller_tables=True), field(2), 1)


@settings(deadline=None, max_examples=5)
@given(st.text("ab", min_size=1, max_size=5))
def test_the_leader_sits_at_the_first_table(seed):
    plan = replace(FOURS, seed=seed)
    (first,) = rounds_of(plan, field(16), 1)
    outcomes, byes = played(first, 1, seed)
    found = draw(plan, field(16), outcomes, byes, 2)
    leader = ranking(DrawTask(plan, field(16), outcomes, byes, 2)).order[0]
    assert (leader,) in found.tables[0]


@pytest.mark.parametrize("plan", [ROTATING, SWISS])
def test_24_players_with_changing_partners_play_six_rounds_without_meeting_anybody_twice(plan):
    draws = rounds_of(plan, field(24), 6)
    assert (met(draws), partnered(draws)) == (1, 1)
    assert not any(found.repeated for found in draws)


@pytest.mark.parametrize(("size", "rounds"), [(8, 5), (12, 8), (16, 10)])
def test_in_two_thirds_of_a_whole_schedule_nobody_has_a_partner_twice_or_an_opponent_three_times(size, rounds):
    draws = rounds_of(ROTATING, field(size), rounds)
    assert (partnered(draws), met(draws)) == (1, 2)


@pytest.mark.parametrize("size", [8, 12])
def test_in_a_whole_schedule_nobody_has_a_partner_three_times_or_an_opponent_four_times(size):
    draws = rounds_of(ROTATING, field(size), size - 1)
    assert partnered(draws) <= 2
    assert met(draws) <= 3


def test_16_players_at_tables_of_four_play_three_rounds_without_meeting_anybody_twice():
    draws = rounds_of(replace(FOURS, format="round_robin"), field(16), 3)
    assert met(draws) == 1


def test_in_a_swiss_tables_are_of_players_who_have_come_equally_far():
    first, second = rounds_of(FOURS, field(64), 2)
    assert not second.repeated
    assert first != second


def test_the_draw_names_those_who_meet_again():
    draws = rounds_of(ROTATING, field(4), 2)
    assert len(draws[1].repeated) == 2
    assert partnered(draws) == 1


def test_everybody_alone_has_a_table_of_his_own():
    assert draw(ALONE, field(3), [], [], 1).tables == (((1,),), ((2,),), ((3,),))


@each(("plan", "size", "needed"), [(ROTATING, 3, 4), (FOURS, 3, 4), (ALONE, 0, 1)])
def test_too_few_for_a_table_are_refused(plan, size, needed):
    with pytest.raises(Refused) as refused:
        draw(plan, field(size), [], [], 1)
    assert (refused.value.code, refused.value.detail) == ("too_few_entrants", {"needed": needed})


def test_rounds_that_are_paired_by_hand_are_not_drawn():
    with pytest.raises(Refused) as refused:
        draw(a_plan("manual"), field(4), [], [], 1)
    assert refused.value.code == "paired_by_hand"
