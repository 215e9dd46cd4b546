"""Who withdraws from a round robin before half of it is played counts for nobody (FIDE General Regulations for Competitions, 6.6)."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Bye, Scoring
from domain.standings.standings import StandingsRow, standings
from tests.domain.tournament.fields import FOUR, a_plan, duel, forfeit
from tests.each import each

FOUR_MEET = replace(a_plan("round_robin", "wins", "sonneborn_berger"), half_required=True)
ONE_ROUND = [duel(1, 1, 4, 0, 9), duel(1, 2, 3, 5, 1), duel(2, 1, 2, 7, 2), duel(3, 1, 3, 4, 4)]
BYES = [Bye(2, 3), Bye(3, 2)]


def told(lines: tuple[StandingsRow, ...]) -> Any:
    return [(line.place, line.entrant, line.score, line.played, line.taken_out) for line in lines]


def after_four_left(plan: TournamentAnnounced) -> Any:
    return standings(plan, range(1, 5), ONE_ROUND, BYES, [4])


def test_results_against_who_played_less_than_half_and_byes_count_for_nobody():
    assert told(after_four_left(FOUR_MEET)) == [(1, 1, 3, 2, False), (2, 2, 2, 2, False), (3, 3, 1, 2, False), (4, 4, 0, 0, True)]


def test_they_stay_in_the_table_and_all_figures_leave_them_out():
    first, *_, last = after_four_left(FOUR_MEET)
    assert [(part.round, part.value, part.counts) for part in first.parts] == [(1, 0, False), (2, 2, True), (3, 1, True)]
    assert [figure.value for figure in first.figures] == [1, 2 * 2 + 1 * 1]
    assert [(part.value, part.counts) for part in last.parts] == [(2, False)]
    assert [figure.value for figure in last.figures] == [None, None]


@each(
    "plan", [replace(FOUR_MEET, half_required=False), replace(FOUR_MEET, format="swiss"), replace(FOUR_MEET, tie_breaks=(), parties=FOUR)]
)
def test_where_it_was_not_announced_and_in_other_formats_everybody_counts(plan: TournamentAnnounced):
    assert not any(line.taken_out for line in after_four_left(plan))


def test_half_of_the_schedule_is_enough_and_a_won_forfeit_is_played():
    half = [duel(1, 1, 4, 0, 9), forfeit(2, 2, 4, 2), duel(1, 2, 3, 5, 1)]
    assert not any(line.taken_out for line in standings(FOUR_MEET, range(1, 5), half, [], [4]))
    one = [duel(1, 1, 4, 0, 9), forfeit(2, 2, 4, 4), duel(1, 2, 3, 5, 1)]
    assert [line.entrant for line in standings(FOUR_MEET, range(1, 5), one, [], [4]) if line.taken_out] == [4]


def test_in_an_odd_field_the_schedule_has_a_bye_for_each():
    tables = [duel(1, 2, 5, 9, 0), duel(1, 3, 4, 1, 0), duel(2, 1, 5, 3, 0), duel(2, 2, 3, 1, 0)]
    lines = standings(FOUR_MEET, range(1, 6), tables, [Bye(1, 1), Bye(2, 4)], [5])
    assert not any(line.taken_out for line in lines)  # two of four
    assert {line.entrant: line.score for line in lines}[1] == Fraction(4)


def test_who_withdrew_before_the_first_round_takes_nothing_from_anybody():
    lines = standings(FOUR_MEET, range(1, 5), [duel(1, 1, 2, 5, 1)], [Bye(1, 3)], [4])
    assert told(lines)[:2] == [(1, 1, 2, 1, False), (2, 3, 2, 0, False)]


def test_the_average_that_a_won_forfeit_brings_holds_no_table_that_counts_for_nobody():
    plan = replace(FOUR_MEET, scoring=Scoring("points", bye="average", forfeit=("bye", 0)), tie_breaks=())
    played = [duel(1, 1, 6, 40, 0), duel(1, 2, 5, 6, 2), forfeit(1, 3, 4, 4), duel(2, 1, 2, 3, 1)]
    scores: Any = [(line.entrant, line.score) for line in standings(plan, range(1, 7), played, [], [6])]
    assert scores == [(2, 7), (3, 4), (1, 3), (5, 2), (4, 0), (6, 0)]
