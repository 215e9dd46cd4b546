"""What an announcement may ask for."""

import pytest

from domain.errors import Refused
from domain.standings.plan import Scoring
from domain.tournament.announcement import check_plan
from domain.tournament.warnings import Remark, warn_about_announcement
from tests.domain.tournament.fields import FOUR, MATCH_POINTS, POINTS, a_plan
from tests.each import each

ALONE = ((0,),)
PLACES = Scoring("match_points", (5, 3, 1, 0))


@each(
    "plan",
    [
        a_plan("swiss", "direct_encounter", "buchholz", "buchholz_cut_1", "sonneborn_berger", "score_difference", "points", "wins", "lots"),
        a_plan("round_robin", "direct_encounter", "sonneborn_berger", "score_difference", "points", "wins", "lots"),
        a_plan("swiss", "score_difference", "points", "wins", "lots", entrants="players"),
        a_plan("swiss", "buchholz", "points", "wins", parties=FOUR, entrants="players", scoring=PLACES),
        a_plan("round_robin", "direct_encounter", "score_difference", scoring=POINTS),
        a_plan("knockout", "score_difference", "points", "lots"),
        a_plan("manual", "lots", parties=ALONE, entrants="players", scoring=POINTS),
    ],
)
def test_what_makes_sense_is_accepted(plan):
    check_plan(plan)


@each(
    ("plan", "code"),
    [
        (a_plan("swiss", "direct_encounter", entrants="players"), "no_direct_encounter"),
        (a_plan("knockout", "direct_encounter"), "no_direct_encounter"),
        (a_plan("swiss", "buchholz", entrants="players"), "no_buchholz"),
        (a_plan("swiss", "buchholz", scoring=POINTS), "no_buchholz"),
        (a_plan("round_robin", "buchholz_cut_1"), "no_buchholz_cut_1"),
        (a_plan("swiss", "sonneborn_berger", parties=FOUR, entrants="players", scoring=PLACES), "no_sonneborn_berger"),
        (a_plan("swiss", "score_difference", parties=ALONE, entrants="players", scoring=POINTS), "no_score_difference"),
        (a_plan("swiss", "wins", parties=ALONE, entrants="players", scoring=POINTS), "no_wins"),
        (a_plan("swiss", "points", scoring=POINTS), "no_points"),
        (a_plan("swiss", "wins", "wins"), "tie_break_twice"),
        (a_plan("swiss", "lots", "wins"), "lots_not_last"),
        (a_plan(parties=ALONE, entrants="players"), "solitaire_by_match_points"),
        (a_plan(parties=FOUR, entrants="players"), "places_missing"),
        (a_plan(scoring=Scoring("match_points", (0, 2))), "places_rise"),
        (a_plan(scoring=Scoring("match_points", (1, 1))), "places_rise"),
        (a_plan(scoring=Scoring("match_points", (3, 0), draw=4)), "draw_outside"),
        (a_plan(scoring=Scoring("points", draw=1)), "draw_needs_duels"),
        (a_plan(parties=FOUR, entrants="players", scoring=Scoring("match_points", (5, 3, 1, 0), draw=1)), "draw_needs_duels"),
        (a_plan("knockout", entrants="players"), "knockout_needs_duels"),
        (a_plan("knockout", scoring=POINTS), "knockout_by_match_points"),
        (a_plan("knockout", scoring=Scoring("points", ())), "knockout_by_match_points"),
        (a_plan("knockout", scoring=Scoring("match_points", (2, 0), 1)), "knockout_by_match_points"),
    ],
)
def test_what_makes_no_sense_is_refused(plan, code):
    with pytest.raises(Refused) as refused:
        check_plan(plan)
    assert refused.value.code == code


@each(
    ("scoring", "told"),
    [
        (Scoring("points", bye="average"), (Remark("forfeit_costs_the_present", {"points": 0}),)),
        (Scoring("points", bye=100, forfeit=(50, 0)), (Remark("forfeit_costs_the_present", {"points": 50}),)),
        (Scoring("points", bye=100, forfeit=(100, 0)), ()),
        (Scoring("points", bye="average", forfeit=("bye", 0)), ()),
        (MATCH_POINTS, ()),
    ],
)
def test_who_announces_is_warned_if_who_comes_is_to_get_less_than_a_bye_brings(scoring, told):
    assert warn_about_announcement(a_plan(scoring=scoring)) == told
