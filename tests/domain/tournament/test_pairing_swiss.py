"""Whoever has come equally far meets, and nobody meets the same opponent twice."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Refused
from domain.standings.plan import Bye, Outcome
from domain.tournament.pairing.tables import DrawTask, ranking
from domain.tournament.state import SkippedRounds
from tests.domain.tournament.fields import POINTS, a_plan, draw, duel, field, forfeit, played, rounds_of, withdrawn

PLAN = a_plan("swiss")


def pairs(tables):
    return [tuple(entrant for (entrant,) in parties) for parties in tables]


@given(
    st.integers(2, 20), st.integers(1, 9), st.text("ab", min_size=1, max_size=6), st.sampled_from([PLAN, a_plan("swiss", scoring=POINTS)])
)
def test_everybody_is_paired_once_or_has_the_bye(size, rounds, seed, plan):
    for found in rounds_of(replace(plan, seed=seed), field(size), min(rounds, size)):
        assert sorted([*(entrant for pair in pairs(found.tables) for entrant in pair), *found.byes]) == list(range(1, size + 1))
        assert len(found.byes) == size % 2


@given(st.integers(2, 20), st.text("ab", min_size=1, max_size=6))
def test_nobody_meets_the_same_opponent_or_has_a_bye_twice_in_as_many_rounds_as_half_the_field(size, seed):
    # So many rounds can always be paired: whoever is left to meet is more than half of the others (Dirac's theorem).
    draws = rounds_of(replace(PLAN, seed=seed), field(size), max(1, size // 2))
    met = Counter(frozenset(pair) for found in draws for pair in pairs(found.tables))
    assert max(met.values()) == 1
    assert max(Counter(entrant for found in draws for entrant in found.byes).values(), default=0) <= 1
    assert not any(found.repeated for found in draws)


@given(st.integers(2, 8), st.integers(0, 6), st.text("ab", min_size=1, max_size=6))
def test_repeats_second_byes_and_floats_are_as_few_as_any_pairing_has(size, rounds, seed):
    plan, entrants = replace(PLAN, seed=seed), field(size)
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for number, found in enumerate(rounds_of(plan, entrants, rounds), 1):
        more, left = played(found, number, seed)
        outcomes, byes = outcomes + more, byes + left
    found = draw(plan, entrants, outcomes, byes, rounds + 1)
    chosen = [*pairs(found.tables), *((entrant,) for entrant in found.byes)]
    every = min(badness(pairing, size, outcomes, byes) for pairing in pairings(list(range(1, size + 1)), size % 2))
    assert badness(chosen, size, outcomes, byes) == every


def pairings(entrants: list[int], spare: int) -> Iterator[list[tuple[int, ...]]]:
    """Every way to pair them."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for other in others:
        yield from ([(first, other), *rest] for rest in pairings([one for one in others if one != other], spare))
    if spare:
        yield from ([(first,), *rest] for rest in pairings(others, 0))


def badness(pairing, size, outcomes, byes):
    """Counted without the code that pairs: scores are 2, 1, 0 and 2 for the bye."""
    score = Counter({bye.entrant: 0 for bye in byes})
    score.update(bye.entrant for bye in byes for _ in range(2))
    for outcome in outcomes:
        (one,), (other,) = outcome.parties
        mine, theirs = outcome.points
        score.update({one: 1 + (mine > theirs) - (mine < theirs), other: 1 + (theirs > mine) - (theirs < mine)})
    levels = sorted({score[entrant] for entrant in range(1, size + 1)})
    met = Counter(frozenset((*outcome.parties[0], *outcome.parties[1])) for outcome in outcomes)
    left = [pair[0] for pair in pairing if len(pair) == 1]
    tables = [pair for pair in pairing if len(pair) == 2]
    return (
        sum(met[frozenset(pair)] for pair in tables),
        sum(bye.entrant in left for bye in byes),
        [levels.index(score[entrant]) for entrant in left],
        sum((levels.index(score[one]) - levels.index(score[other])) ** 2 for one, other in tables),
    )


def test_the_first_round_is_folded_by_rating():
    found = draw(PLAN, field(6, [1500, 2100, 1800, None, 1900, 1600]), [], [], 1)
    assert {frozenset(pair) for pair in pairs(found.tables)} == {frozenset(pair) for pair in [(2, 6), (5, 1), (3, 4)]}


def test_without_ratings_the_first_round_is_drawn_by_the_seed():
    assert draw(PLAN, field(12), [], [], 1) == draw(PLAN, field(12), [], [], 1)
    assert draw(PLAN, field(12), [], [], 1) != draw(replace(PLAN, seed="another"), field(12), [], [], 1)


def test_the_lowest_without_a_bye_has_the_bye():
    outcomes, byes = [duel(1, 1, 2, 9, 1), duel(1, 3, 4, 9, 1)], [Bye(1, 5)]
    assert draw(PLAN, field(5), outcomes, byes, 2).byes[0] in (2, 4)


def test_who_won_by_forfeit_has_no_bye_while_others_may_have_it():
    outcomes = [forfeit(1, 1, 2, 2), duel(1, 3, 4, 9, 1), duel(2, 1, 3, 1, 9), duel(2, 2, 5, 9, 1)]
    found = draw(PLAN, field(5)[:5], outcomes, [Bye(1, 5), Bye(2, 4)], 3)
    assert found.byes == (2,)


def test_after_a_forfeit_the_two_may_be_paired_again():
    found = draw(PLAN, field(2), [forfeit(1, 1, 2, 2)], [], 2)
    assert (len(found.tables), found.repeated) == (1, ())


def test_where_every_pairing_repeats_an_encounter_the_draw_says_so():
    found = draw(PLAN, field(2), [duel(1, 1, 2, 9, 1)], [], 2)
    assert (pairs(found.tables), found.repeated) == ([(2, 1)], ((2, 1),))


def test_late_entries_are_paired_from_their_round_and_withdrawn_ones_no_more():
    entrants = withdrawn([*field(4)[:3], replace(field(4)[3], from_round=2)], 1, 2)
    outcomes, byes = [duel(1, 1, 2, 9, 1)], [Bye(1, 3)]
    first = draw(PLAN, entrants, [], [], 1)
    assert sorted([*(entrant for pair in pairs(first.tables) for entrant in pair), *first.byes]) == [1, 2, 3]
    found = draw(PLAN, entrants, outcomes, byes, 2)
    assert sorted([*(entrant for pair in pairs(found.tables) for entrant in pair), *found.byes]) == [2, 3, 4]


def test_who_returns_is_paired_again_by_what_he_has():
    entrants = [replace(field(4)[0], absences=(SkippedRounds(2, 3),)), *field(4)[1:]]
    outcomes = [duel(1, 1, 2, 9, 1), duel(1, 3, 4, 9, 1), duel(2, 3, 2, 9, 1)]
    assert 1 not in [entrant for pair in pairs(draw(PLAN, entrants, outcomes, [], 2).tables) for entrant in pair]
    found = draw(PLAN, entrants, outcomes, [Bye(2, 4)], 3)
    assert ({frozenset(pair) for pair in pairs(found.tables)}, found.byes) == ({frozenset({1, 3}), frozenset({2, 4})}, ())


def test_an_adjourned_table_is_presumed_drawn():
    outcomes = [duel(1, 1, 2), duel(1, 3, 4, 9, 1), duel(1, 5, 6, 5, 5)]
    found = draw(PLAN, field(6), outcomes, [], 2)
    ((one, other),) = [sorted(pair) for pair in pairs(found.tables) if not {3, 4} & set(pair)]
    assert (one in (1, 2), other in (5, 6)) == (True, True)


def test_floats_are_seen_from_the_scores_that_are_presumed():
    rows = ranking(DrawTask(PLAN, field(4), [duel(1, 1, 2), duel(1, 3, 4, 9, 1), duel(2, 1, 4, 9, 1), duel(2, 2, 3, 9, 1)], [], 3)).rows
    assert [[share.score for share in rows[one]] for one in (1, 2, 3, 4)] == [[1, 2], [1, 2], [2, 0], [0, 0]]


def test_who_sat_first_less_often_sits_first():
    (table,) = draw(PLAN, field(2), [duel(1, 1, 2, 9, 1)], [], 2).tables
    assert table == ((2,), (1,))


def test_by_points_an_adjourned_table_is_presumed_to_bring_the_average_of_its_round():
    outcomes = [duel(1, 1, 2), duel(1, 3, 4, 900, 100), duel(1, 5, 6, 800, 200)]
    found = draw(replace(PLAN, scoring=POINTS), field(6), outcomes, [], 2)  # by scores: 3, 5, then 1 and 2 with 500 each, 6, 4
    assert {frozenset(pair) for pair in pairs(found.tables)} == {frozenset({1, 3}), frozenset({2, 5}), frozenset({4, 6})}


def test_of_two_who_were_first_as_often_who_was_second_last_sits_first():
    outcomes = [duel(1, 1, 2, 9, 1), duel(2, 2, 1, 9, 1), duel(3, 3, 2, 1, 9), duel(4, 2, 3, 9, 1)]
    (table,) = draw(PLAN, withdrawn(field(3), 1, 5), outcomes, [], 5).tables
    assert table == ((3,), (2,))


def test_who_sat_first_twice_running_sits_second():
    outcomes = [duel(1, 3, 1, 9, 1), duel(2, 2, 1, 1, 9), duel(2, 4, 3, 1, 9), duel(3, 1, 4, 9, 1), duel(3, 2, 3, 9, 1)]
    one = draw(PLAN, withdrawn(withdrawn(field(4), 3, 4), 4, 4), outcomes, [], 4)
    assert one.tables == (((1,), (2,)),)


@given(st.integers(8, 24), st.text("ab", min_size=1, max_size=6))
def test_sides_stay_even_in_fields_larger_than_their_rounds_need(size, seed):
    tables = [pair for found in rounds_of(replace(PLAN, seed=seed), field(size), 4) for pair in pairs(found.tables)]
    first, second = Counter(one for one, _ in tables), Counter(other for _, other in tables)
    assert max(abs(first[one] - second[one]) for one in range(1, size + 1)) <= 2


def test_one_entrant_cannot_be_paired():
    with pytest.raises(Refused) as refused:
        draw(PLAN, field(1), [], [], 1)
    assert (refused.value.code, refused.value.detail) == ("too_few_entrants", {"needed": 2})
