"""Decisions about a series: its announcement and corrections, its tournaments, adjustments, categories, end and publication."""

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from domain.errors import Refused
from domain.events import series as events
from domain.events.base import TextRef
from domain.events.tournament import Publication
from domain.series.results import PlayedTournament, best_score
from domain.series.series import Series
from domain.standings.plan import SeriesPlan
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark


def announce_series(series: str, title: TextRef | None, plan: SeriesPlan, rulesets: Collection[str]) -> events.SeriesAnnounced:
    """Return the announcement. ``rulesets``: all that there are. Raises ``Refused``."""
    check_plan(plan, rulesets)
    return events.SeriesAnnounced(series, title, plan)


def correct_series(
    series: Series, title: TextRef | None, plan: SeriesPlan, rulesets: Collection[str], tournaments: Iterable[Tournament]
) -> events.SeriesCorrected:
    """Return the correction, which holds for all of its tournaments. Raises ``Refused``."""
    series.check_open()
    check_plan(plan, rulesets)
    for tournament in tournaments:
        _check_ruleset(plan, tournament)
    if (title, plan) == (series.title, series.plan):
        raise Refused("series_so_already")
    return events.SeriesCorrected(title, plan)


def add_tournament(series: Series, tournament: Tournament, played: PlayedTournament, weight: str) -> events.SeriesTournamentAdded:
    """Return the addition of a tournament that is announced, in play or finished. Raises ``Refused``."""
    id, added = tournament.plan.tournament, record_added_tournament(series, tournament.plan.tournament, weight)
    if tournament.ended and tournament.ended.how == "cancelled":
        raise Refused("tournament_cancelled", tournament=id)
    _check_ruleset(series.plan, tournament)
    if series.plan.points.by == "percent" and tournament.ended and best_score(played) <= 0:
        raise Refused("percent_of_nothing", tournament=id)
    return added


def record_added_tournament(series: Series, tournament: str, weight: str) -> events.SeriesTournamentAdded:
    """Return the addition, judged by the series alone. Raises ``Refused``."""
    series.check_open()
    if series.has(tournament):
        raise Refused("tournament_twice", tournament=tournament)
    if Fraction(weight) <= 0:
        raise Refused("no_weight")
    return events.SeriesTournamentAdded(tournament, weight)


def remove_tournament(series: Series, tournament: str, reason: TextRef) -> events.SeriesTournamentRemoved:
    series.check_open()
    if not series.has(tournament):
        raise Refused("tournament_not_in_series", tournament=tournament)
    return events.SeriesTournamentRemoved(tournament, reason)


def adjust_points(series: Series, player: str, points: int, reason: TextRef) -> events.SeriesAdjusted:
    series.check_open()
    if points == 0:
        raise Refused("no_adjustment")
    return events.SeriesAdjusted(player, points, reason)


def set_category(series: Series, player: str, category: str | None) -> events.SeriesCategoryGiven:
    series.check_open()
    if series.category_of(player) == category:
        raise Refused("category_so_already")
    return events.SeriesCategoryGiven(player, category)


def end_series(series: Series, reason: TextRef | None, tournaments: Iterable[Tournament]) -> events.SeriesEnded:
    """Return the end. Raises ``Refused`` while a tournament of it is not finished."""
    series.check_open()
    for tournament in tournaments:
        if tournament.ended is None:
            raise Refused("series_in_play", tournament=tournament.plan.tournament)
    return events.SeriesEnded(reason)


def publish_series(series: Series, publication: Publication) -> events.SeriesPublished:
    """Return the publication, also of a series that has ended. Raises ``Refused``."""
    if series.publication == publication:
        raise Refused("series_published_so_already", publication=publication)
    return events.SeriesPublished(publication)


def check_plan(plan: SeriesPlan, rulesets: Collection[str]) -> None:
    """Raise ``Refused`` for a plan that makes no sense."""
    by, table = plan.points.by, plan.points.table
    if by == "place" and not table:
        raise Refused("no_place_points")
    if by != "place" and table:
        raise Refused("place_points_unused", by=by)
    if any(worse > better for better, worse in pairwise((*table, 0))):
        raise Refused("place_points_rise")
    for index, name in enumerate(plan.tie_breaks):
        if name in plan.tie_breaks[:index]:
            raise Refused("series_tie_break_twice", tie_break=name)
    if "lots" in plan.tie_breaks[:-1]:
        raise Refused("lots_not_last")
    for ruleset in plan.rulesets or ():
        if ruleset not in rulesets:
            raise Refused("series_ruleset_unknown", ruleset=ruleset)


def _check_ruleset(plan: SeriesPlan, tournament: Tournament) -> None:
    if plan.rulesets is not None and tournament.plan.ruleset not in plan.rulesets:
        raise Refused("other_ruleset", tournament=tournament.plan.tournament, ruleset=tournament.plan.ruleset, allowed=plan.rulesets)


# Warnings about a series: what everybody may read in its table though the tournament itself is not published like that.


def warn_about_openness(publication: Publication, tournaments: Iterable[Tournament]) -> Iterator[Remark]:
    """Yield a remark where a series shows results, or names, that its tournaments do not."""
    if publication == "no":
        return
    of_each = [one.publication for one in tournaments]
    if hidden := of_each.count("no"):
        yield Remark("shows_unpublished", {"tournaments": hidden})
    if publication == "names" and (unnamed := len(of_each) - of_each.count("names")):
        yield Remark("names_players", {"tournaments": unnamed})
