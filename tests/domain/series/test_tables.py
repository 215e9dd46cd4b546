"""The table of a series, rule by rule, with numbers that can be checked by hand."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from domain.events.series import SeriesAdjusted, SeriesAnnounced, SeriesCategoryGiven
from domain.series.results import PlayedTournament, played_tournament
from domain.series.tables import series_tables, tournaments_until
from domain.standings.plan import Bye, SeriesPlan, SeriesPoints, SeriesTables
from domain.standings.standings import standings
from domain.tournament.line_ups import LineUp
from domain.tournament.state import Entrant
from tests.domain.series.season import REASON, a_tournament, by_place, ranked, season
from tests.domain.tournament.fields import duel, forfeit
from tests.each import each

THIRD = Fraction(1, 3)


def night(id: str, month: int, scores: dict[str, int], weight: str = "1", **more: Any) -> PlayedTournament:
    """A tournament at whose end these people had these scores."""
    return played_tournament(a_tournament(id, month, *scores, **more), ranked(*scores.values()), Fraction(weight))


def tables(plan: SeriesPlan, *nights: PlayedTournament, events: Any = (), **more: Any) -> Any:
    return series_tables(season(SeriesAnnounced("cup", None, plan), *events), nights, **more)


def lines(plan: SeriesPlan, *nights: PlayedTournament, **more: Any) -> list[Any]:
    return [(row.place, *row.contestant, row.points) for row in tables(plan, *nights, **more)[0].rows]


MARCH = night("march", 1, {"anna": 9, "bert": 7, "cleo": 7, "dora": 1})
APRIL = night("april", 2, {"anna": 2, "bert": 8, "dora": 5})


def test_tied_places_share_the_average_or_all_have_the_best():
    assert lines(by_place(6, 4, 1), MARCH) == [(1, "anna", 6), (2, "bert", Fraction(5, 2)), (2, "cleo", Fraction(5, 2)), (4, "dora", 0)]
    assert lines(by_place(6, 4, 1, ties="best"), MARCH)[1:3] == [(2, "bert", 4), (2, "cleo", 4)]
    field = SeriesPlan(points=SeriesPoints("field"))
    assert [line[-1] for line in lines(field, MARCH)] == [100, Fraction(125, 2), Fraction(125, 2), 25]


@each(("by", "points"), [("score", [9, 7, 7, 1]), ("percent", [100, Fraction(700, 9), Fraction(700, 9), Fraction(100, 9)])])
def test_points_are_the_score_or_its_percentage_of_the_best(by: Any, points: list[Any]):
    assert [line[-1] for line in lines(SeriesPlan(points=SeriesPoints(by)), MARCH)] == points


def test_the_best_results_count_and_weights_multiply():
    double = night("may", 3, {"dora": 3, "anna": 1}, "2")
    best = tables(by_place(6, 4, 1, best=2), MARCH, APRIL, double)[0].rows
    assert [(row.contestant[0], row.points) for row in best] == [
        ("dora", 16),
        ("anna", 14),
        ("bert", Fraction(17, 2)),
        ("cleo", Fraction(5, 2)),
    ]
    assert [(one.tournament, one.points, one.counts) for one in best[1].results] == [
        ("march", 6, True),
        ("april", 1, False),
        ("may", 8, True),
    ]


def test_those_who_played_too_little_stand_below_the_line():
    assert lines(by_place(6, 4, 1, minimum=2), MARCH, APRIL) == [
        (1, "bert", Fraction(17, 2)),
        (2, "anna", 7),
        (3, "dora", 4),
        (None, "cleo", Fraction(5, 2)),
    ]


def test_byes_and_forfeits_are_no_playing():
    here = a_tournament("march", 1, "anna", "bert", "cleo", "dora", "emil")
    rows = standings(here.plan, range(1, 6), [duel(1, 1, 2, 3, 0), forfeit(1, 3, 4, 4)], [Bye(1, 5)])
    assert [entry.line_ups for entry in played_tournament(here, rows).entries] == [(("anna",),), (("bert",),)]
    assert lines(by_place(6, 4, 1), played_tournament(here, rows)) == [(1, "anna", 6), (2, "bert", 4)]


def test_adjustments_count_and_merged_ids_are_one_person():
    bonus, penalty = SeriesAdjusted("bertie", 3, REASON), SeriesAdjusted("emil", -2, REASON)
    told = lines(by_place(6, 4, 1), MARCH, events=[bonus, penalty], person_of=lambda player: "bert" if player == "bertie" else player)
    assert told == [(1, "anna", 6), (2, "bert", Fraction(11, 2)), (3, "cleo", Fraction(5, 2)), (4, "dora", 0), (None, "emil", -2)]


def test_a_substitute_who_sat_there_has_the_result_too():
    here = a_tournament("march", 1, "anna", "bert")
    entrant = Entrant(2, 1, (LineUp(1, ("bert",)), LineUp(2, ("sara",), 3)))
    rows = standings(here.plan, (1, 2), [duel(1, 1, 2, 3, 0), duel(2, 2, 1, 3, 3)], ())
    played = played_tournament(replace(here, entrants=(here.entrants[0], entrant)), rows)
    assert lines(by_place(6, 4, 1), played) == [(1, "anna", 6), (2, "bert", 4), (2, "sara", 4)]


def test_partners_each_have_the_result_of_their_party_and_stand_together_in_a_table_of_their_own():
    pairs = a_tournament("march", 1, ("anna", "bert"), ("dora", "cleo"), partners=True)
    played = played_tournament(pairs, standings(pairs.plan, (1, 2), [duel(1, 1, 2, 3, 0)], ()))
    players, partners = tables(by_place(6, 4, tables=SeriesTables(partnership=True)), played)
    assert [(row.contestant, row.points) for row in players.rows] == [(("anna",), 6), (("bert",), 6), (("cleo",), 4), (("dora",), 4)]
    assert [(row.place, row.contestant, row.points) for row in partners.rows] == [(1, ("anna", "bert"), 6), (2, ("cleo", "dora"), 4)]


def test_the_best_of_a_club_count_for_it_in_each_tournament():
    clubs = {"anna": "Adler", "bert": "Bussard", "cleo": "Adler", "dora": "Adler"}
    _, told = tables(by_place(6, 4, 1, tables=SeriesTables(club=2)), MARCH, APRIL, club_of=clubs.get)
    assert [(row.place, row.contestant, row.points, row.played) for row in told.rows] == [
        (1, ("Adler",), Fraction(17, 2) + 5, 2),
        (2, ("Bussard",), Fraction(17, 2), 2),
    ]
    assert told.rows[0].results[0].entrants == (1, 3)


def test_a_category_has_a_table_of_its_own():
    junior = [SeriesCategoryGiven(player, "junior") for player in ("cleo", "dora")]
    _, told = tables(by_place(6, 4, 1, tables=SeriesTables(category=True)), MARCH, APRIL, events=junior)
    assert (told.category, [(row.place, row.contestant, row.points) for row in told.rows]) == (
        "junior",
        [(1, ("dora",), 4), (2, ("cleo",), Fraction(5, 2))],
    )


# With three points for Anna and one for Bert, they and Cleo have nine each.
ONE = night("one", 1, {"anna": 9, "bert": 5, "cleo": 3})
TWO = night("two", 2, {"bert": 9, "cleo": 5, "anna": 3})
OUT = night("out", 3, {"cleo": 9, "dora": 1})


@each(
    ("name", "figures"),
    [
        ("first_places", {"anna": 1, "bert": 1, "cleo": 1}),
        ("best_results", {"anna": 5, "bert": 5, "cleo": 5}),
        ("tournaments", {"anna": 2, "bert": 2, "cleo": 3}),
        ("latest_result", {"anna": 1, "bert": 5, "cleo": 5}),
        ("direct_comparison", {"anna": 2, "bert": 1, "cleo": 3}),
    ],
)
def test_each_tie_break_tells_its_figure(name: Any, figures: dict[str, int]):
    even = [SeriesAdjusted("anna", 3, REASON), SeriesAdjusted("bert", 1, REASON)]
    found = tables(by_place(5, 3, 1, tie_breaks=(name,)), ONE, TWO, OUT, events=even)[0].rows
    tied = {row.contestant[0]: row for row in found if row.contestant != ("dora",)}
    assert {name: row.figures[0].value for name, row in tied.items()} == figures
    better = sorted(tied, key=lambda player: figures[player], reverse=name != "direct_comparison")
    assert [row.place for row in (tied[player] for player in better)] == sorted(row.place or 0 for row in tied.values())


def test_lots_come_from_the_seeds_of_the_tournaments():
    found = tables(by_place(1, 1, 1, tie_breaks=("lots",)), ONE)[0].rows
    assert sorted(row.place or 0 for row in found) == [1, 2, 3]
    drawn = [row.figures[0].value or 0 for row in found]
    assert drawn == sorted(drawn)


def test_a_tournament_that_is_played_counts_as_it_stands_and_comes_last():
    now = night("now", 0, {"cleo": 4, "anna": 1}, over=False)
    assert [one.tournament for one in tournaments_until([now, APRIL, MARCH], "now")] == ["march", "april", "now"]
    assert [one.tournament for one in tournaments_until([now, APRIL, MARCH], "march")] == ["march"]
    assert lines(by_place(6, 4, 1), now) == [(1, "cleo", 6), (2, "anna", 4)]
