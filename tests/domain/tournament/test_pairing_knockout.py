"""Who loses is out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Refused
from domain.standings.plan import Bye, Outcome
from tests.domain.tournament.fields import a_plan, draw, duel, field, forfeit, withdrawn
from tests.each import each

PLAN = a_plan("knockout")
RATED = tuple(range(2900, 2000, -100))


def pairs(tables):
    return [tuple(entrant for (entrant,) in parties) for parties in tables]


def better(found, round):
    """The lower number wins every table."""
    return [duel(round, *pair, *((1, 0) if pair[0] < pair[1] else (0, 1))) for pair in pairs(found.tables)]


def test_the_seeds_meet_as_late_as_can_be():
    entrants = field(8, RATED)
    found = draw(PLAN, entrants, [], [], 1)
    assert pairs(found.tables) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    outcomes = better(found, 1)
    found = draw(PLAN, entrants, outcomes, [], 2)
    assert pairs(found.tables) == [(1, 4), (2, 3)]
    outcomes += better(found, 2)
    assert pairs(draw(PLAN, entrants, outcomes, [], 3).tables) == [(1, 2)]


def test_the_best_have_a_bye_where_the_number_is_no_power_of_two():
    found = draw(PLAN, field(6, RATED), [], [], 1)
    assert (pairs(found.tables), found.byes) == ([(4, 5), (3, 6)], (1, 2))


@given(st.integers(2, 33), st.text("ab", min_size=1, max_size=5))
def test_one_is_left_after_as_many_rounds_as_the_bracket_has(size, seed):
    plan, entrants = replace(PLAN, seed=seed), field(size)
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for number in range(1, (size - 1).bit_length() + 1):
        found = draw(plan, entrants, outcomes, byes, number)
        assert not found.byes or number == 1
        outcomes, byes = outcomes + better(found, number), byes + [Bye(number, entrant) for entrant in found.byes]
    with pytest.raises(Refused) as refused:
        draw(plan, entrants, outcomes, byes, 9)
    assert refused.value.code == "knockout_over"
    assert len(outcomes) == size - 1


def test_who_was_paired_again_stays_in_the_bracket_though_an_earlier_result_was_corrected():
    entrants = field(8, RATED)
    first = better(draw(PLAN, entrants, [], [], 1), 1)
    second = better(draw(PLAN, entrants, first, [], 2), 2)
    corrected = [duel(1, 1, 8, 0, 1), *first[1:], *second]
    assert pairs(draw(PLAN, entrants, corrected, [], 3).tables) == [(1, 2)]
    assert pairs(draw(PLAN, entrants, [duel(1, 1, 8, 0, 1), *first[1:]], [], 2).tables) == [(8, 4), (2, 3)]


def test_a_forfeit_puts_out_who_did_not_come():
    outcomes = [forfeit(1, 1, 4, 1), duel(1, 2, 3, 9, 1)]
    assert pairs(draw(PLAN, field(4, RATED), outcomes, [], 2).tables) == [(4, 2)]


def test_the_places_of_the_game_go_before_its_points():
    by_order = Outcome(1, "1-4", ((1,), (4,)), (21, 23), "games", places=(1, 2))
    assert pairs(draw(PLAN, field(4, RATED), [by_order, duel(1, 2, 3, 9, 1)], [], 2).tables) == [(1, 2)]


def test_if_neither_came_the_next_opponent_has_a_bye():
    entrants = field(8, RATED)
    outcomes = [forfeit(1, 1, 8, 1, 8), duel(1, 4, 5, 9, 1), duel(1, 2, 7, 9, 1), duel(1, 3, 6, 9, 1)]
    found = draw(PLAN, entrants, outcomes, [], 2)
    assert (pairs(found.tables), found.byes) == ([(2, 3)], (4,))


def test_who_would_meet_one_who_withdrew_has_a_bye():
    entrants = withdrawn(field(5, RATED), 5, 2)
    outcomes = [duel(1, 4, 5, 1, 9)]
    found = draw(PLAN, entrants, outcomes, [Bye(1, 1), Bye(1, 2), Bye(1, 3)], 2)
    assert (pairs(found.tables), found.byes) == ([(2, 3)], (1,))


def test_who_sat_a_round_out_is_out():
    outcomes, byes = [duel(1, 1, 4, 9, 1), duel(2, 1, 2, 9, 1)], [Bye(1, 2), Bye(1, 3)]
    with pytest.raises(Refused) as refused:
        draw(PLAN, field(4, RATED), outcomes, byes, 3)
    assert refused.value.code == "knockout_over"


@each("undecided", [duel(1, 1, 2, 5, 5), duel(1, 1, 2), Outcome(1, "1-2", ((1,), (2,)), None, "adjourned")])
def test_a_table_without_a_winner_has_to_be_decided_first(undecided):
    with pytest.raises(Refused) as refused:
        draw(PLAN, field(4), [undecided, duel(1, 3, 4, 9, 1)], [], 2)
    assert (refused.value.code, refused.value.detail) == ("knockout_undecided", {"round": 1, "table": "1-2"})


def test_a_late_entry_is_refused():
    with pytest.raises(Refused) as refused:
        draw(PLAN, field(3), [duel(1, 1, 2, 9, 1)], [], 2)
    assert (refused.value.code, refused.value.detail) == ("late_for_knockout", {"entrants": (3,)})
