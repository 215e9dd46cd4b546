"""What lies between two standings."""

from domain.standings.plan import Outcome
from domain.standings.standings import ChangedRow, ChangedTable, compare_rows, list_changed_tables, standings
from tests.domain.tournament.fields import a_plan, duel, forfeit

PLAN = a_plan("swiss", "buchholz")
FIRST = [duel(1, 1, 2, 9, 1), duel(1, 3, 4, 9, 1)]
RULED = [FIRST[0], duel(1, 3, 4, 1, 9)]


def lines(*outcomes: Outcome, entrants: int = 4):
    return standings(PLAN, range(1, entrants + 1), outcomes, [])


def test_nothing_lies_between_equal_standings():
    assert (compare_rows(lines(*FIRST), lines(*FIRST)), list_changed_tables(FIRST, FIRST)) == ((), ())


def test_who_changed_place_score_or_tie_break_has_moved_in_the_order_of_the_later_standings():
    before, after = lines(*FIRST), lines(*RULED)
    assert [(one.entrant, one.before and one.before.place, one.after and one.after.place) for one in compare_rows(before, after)] == [
        (4, 3, 1),
        (3, 1, 3),
    ]


def test_a_tie_break_that_changed_is_enough():
    more = [*FIRST, duel(2, 2, 5, 9, 1)]
    assert 1 in {one.entrant for one in compare_rows(lines(*FIRST, entrants=5), lines(*more, entrants=5))}


def test_who_entered_in_between_was_nowhere_before():
    (late,) = [one for one in compare_rows(lines(*FIRST), lines(*FIRST, entrants=5)) if one.before is None]
    assert late == ChangedRow(5, None, lines(*FIRST, entrants=5)[-1])


def test_tables_that_came_to_something_else_are_told_by_round():
    second, absent = duel(2, 1, 3, 5, 5), forfeit(1, 1, 2, 2)
    assert list_changed_tables(FIRST, [second, absent, FIRST[1]]) == (
        ChangedTable(1, "1-2", FIRST[0], absent),
        ChangedTable(2, "1-3", None, second),
    )


def test_other_places_for_the_same_points_are_another_result():
    by_order = Outcome(1, "1-2", ((1,), (2,)), (9, 1), "entered", places=(2, 1))
    assert list_changed_tables(FIRST[:1], [by_order]) == (ChangedTable(1, "1-2", FIRST[0], by_order),)
