"""What may be recorded of a series, and what is refused with what to do."""

from typing import Any

from msgspec.structs import replace

from domain.events.series import (
    SeriesAdjusted,
    SeriesAnnounced,
    SeriesCategoryGiven,
    SeriesCorrected,
    SeriesEnded,
    SeriesPublished,
    SeriesTournamentAdded,
    SeriesTournamentRemoved,
)
from domain.events.tournament import TournamentEnded
from domain.series import decisions
from domain.series.results import played_tournament
from domain.standings.plan import SeriesPlan, SeriesPoints
from domain.texts import COMMON, LANGUAGES, sentence
from tests.domain.series.season import REASON, a_tournament, by_place, ranked, season
from tests.domain.tournament.recorded import refusal
from tests.each import each

RULESETS = ("canasta", "casino")
ANNOUNCED = SeriesAnnounced("cup", None, by_place())
MARCH = SeriesTournamentAdded("march", "1")


def adding(series: Any, tournament: Any, weight: str = "1", *scores: int) -> SeriesTournamentAdded:
    return decisions.add_tournament(series, tournament, played_tournament(tournament, ranked(*scores)), weight)


def test_a_series_is_announced_corrected_filled_ended_and_published():
    march = a_tournament("march", 1, "anna", "bert")
    assert decisions.announce_series("cup", None, by_place(), RULESETS) == ANNOUNCED
    cup = season(ANNOUNCED)
    assert decisions.correct_series(cup, None, by_place(3, 1), RULESETS, [march]) == SeriesCorrected(None, by_place(3, 1))
    assert adding(cup, march, "3/2", 5, 4) == SeriesTournamentAdded("march", "3/2")
    cup = season(ANNOUNCED, MARCH)
    assert decisions.adjust_points(cup, "anna", -3, REASON) == SeriesAdjusted("anna", -3, REASON)
    assert decisions.set_category(cup, "anna", "junior") == SeriesCategoryGiven("anna", "junior")
    assert decisions.remove_tournament(cup, "march", REASON) == SeriesTournamentRemoved("march", REASON)
    assert decisions.end_series(cup, None, [march]) == SeriesEnded(None)
    assert decisions.publish_series(season(ANNOUNCED, SeriesEnded(None)), "aliases") == SeriesPublished("aliases")


def test_a_series_is_what_its_events_say():
    given, taken = SeriesCategoryGiven("anna", "junior"), SeriesCategoryGiven("anna", None)
    corrected = SeriesCorrected(REASON, by_place(3, 1))
    april = SeriesTournamentAdded("april", "2")
    cup = season(ANNOUNCED, corrected, MARCH, april, SeriesTournamentRemoved("march", REASON), given, taken, SeriesPublished("names"))
    assert (cup.title, cup.plan, cup.tournaments, cup.categories, cup.publication) == (REASON, by_place(3, 1), (april,), (taken,), "names")
    assert not cup.ended
    assert season(ANNOUNCED, SeriesEnded(None)).ended


PLANS = [
    ("no_place_points", {}, SeriesPlan(points=SeriesPoints("place"))),
    ("place_points_unused", {"by": "field"}, SeriesPlan(points=SeriesPoints("field", (3, 2)))),
    ("place_points_rise", {}, by_place(3, 5)),
    ("place_points_rise", {}, by_place(3, -1)),
    ("series_tie_break_twice", {"tie_break": "tournaments"}, by_place(tie_breaks=("tournaments", "lots", "tournaments"))),
    ("lots_not_last", {}, by_place(tie_breaks=("lots", "first_places"))),
    ("series_ruleset_unknown", {"ruleset": "chess"}, by_place(rulesets=("casino", "chess"))),
]


@each(("code", "detail", "plan"), PLANS)
def test_a_plan_that_makes_no_sense_is_refused(code: str, detail: Any, plan: SeriesPlan):
    with refusal(code, **detail):
        decisions.announce_series("cup", None, plan, RULESETS)


def test_a_tournament_that_does_not_belong_there_is_refused():
    cup, march = season(ANNOUNCED, MARCH), a_tournament("march", 1, "anna", "bert")
    with refusal("tournament_twice", tournament="march"):
        adding(cup, march)
    with refusal("no_weight"):
        adding(season(ANNOUNCED), march, "0")
    canasta = season(SeriesAnnounced("cup", None, by_place(rulesets=("canasta",))))
    with refusal("other_ruleset", tournament="march", ruleset="casino", allowed=("canasta",)):
        adding(canasta, march)
    with refusal("other_ruleset", tournament="march", ruleset="casino", allowed=("canasta",)):
        decisions.correct_series(cup, None, by_place(rulesets=("canasta",)), RULESETS, [march])
    with refusal("tournament_not_in_series", tournament="april"):
        decisions.remove_tournament(cup, "april", REASON)


def test_a_cancelled_tournament_is_refused():
    cancelled = replace(a_tournament("march", 1, "anna", "bert"), ended=TournamentEnded("cancelled", None))
    with refusal("tournament_cancelled", tournament="march"):
        adding(season(ANNOUNCED), cancelled)


def test_there_is_no_percentage_of_nothing_once_a_tournament_is_over():
    cup = season(SeriesAnnounced("cup", None, SeriesPlan(points=SeriesPoints("percent"))))
    with refusal("percent_of_nothing", tournament="march"):
        adding(cup, a_tournament("march", 1, "anna", "bert"), "1", 0, -2)
    with refusal("percent_of_nothing", tournament="march"):
        adding(cup, a_tournament("march", 1, "anna", "bert"))  # nobody played
    assert adding(cup, a_tournament("march", 1, "anna", "bert", over=False)) == MARCH


def test_what_changes_nothing_is_refused():
    cup = season(ANNOUNCED, MARCH, SeriesCategoryGiven("anna", "junior"))
    for code, detail, act in (
        ("series_so_already", {}, lambda: decisions.correct_series(cup, None, by_place(), RULESETS, [])),
        ("no_adjustment", {}, lambda: decisions.adjust_points(cup, "anna", 0, REASON)),
        ("category_so_already", {}, lambda: decisions.set_category(cup, "anna", "junior")),
        ("series_published_so_already", {"publication": "no"}, lambda: decisions.publish_series(cup, "no")),
    ):
        with refusal(code, **detail):
            act()


def test_a_series_ends_after_its_tournaments_and_takes_nothing_more():
    with refusal("series_in_play", tournament="march"):
        decisions.end_series(season(ANNOUNCED, MARCH), None, [a_tournament("march", 1, "anna", over=False)])
    over, april = season(ANNOUNCED, MARCH, SeriesEnded(None)), a_tournament("april", 2, "anna")
    for act in (
        lambda: decisions.correct_series(over, None, by_place(3), RULESETS, []),
        lambda: adding(over, april),
        lambda: decisions.remove_tournament(over, "march", REASON),
        lambda: decisions.adjust_points(over, "anna", 1, REASON),
        lambda: decisions.set_category(over, "anna", "junior"),
        lambda: decisions.end_series(over, None, []),
    ):
        with refusal("series_ended"):
            act()


@each("language", LANGUAGES)
def test_every_refusal_has_its_sentence(language: str):
    detail = {"tournament": "march", "allowed": ("canasta", "casino"), "ruleset": "skat", "tie_break": "lots", "by": "field"}
    codes = {code for code, _, _ in PLANS} | {"tournament_twice", "other_ruleset", "percent_of_nothing", "series_in_play", "no_weight"}
    assert [code for code in codes if "…" in (told := sentence(code, detail, language, (COMMON,))) or told == code] == []
