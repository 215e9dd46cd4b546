"""The law of series: the product and another reckoner make the same tables of random seasons and plans.

Now, as of each tournament, and both again after late rulings.
"""

from collections.abc import Iterator
from fractions import Fraction

from domain.series.series import Series
from domain.series.tables import order_tournaments, series_tables, tournaments_until
from tests.domain.series import reckoner
from tests.domain.series.season import RandomSeason

LATE = 3
"""Rulings after the end of the tournaments."""
MERGED = {"p07": "p11", "s3": "p20", "s5": "s6"}
CLUBS = {f"p{number:02}": ("Condor", "Dohle", None)[number % 3] for number in range(60)}


def person_of(player: str) -> str:
    return MERGED.get(player, player)


def find_differences(seed: int, plans: int) -> Iterator[str]:
    """Yield where the tables of a season under so many plans differ."""
    season = RandomSeason(seed)
    ruled = [season.series(season.a_plan()) for _ in range(plans)]
    for late in range(LATE + 1):
        for number, series in enumerate(ruled):
            for upto in (None, *range(len(season.tournaments))):
                if late in (0, LATE) and not _are_alike(season, series, upto):
                    yield f"season {seed}, plan {number}, tournaments up to {upto}, late rulings {late}"
        season.rule_late()


def _are_alike(season: RandomSeason, series: Series, upto: int | None) -> bool:
    played = season.played(series, person_of)
    order = [one.tournament for one in order_tournaments(played)]
    here = played if upto is None else tournaments_until(played, order[upto])
    ids = {one.tournament for one in here}
    told = {
        (one.kind, one.category): [(row.place, row.contestant, row.points) for row in one.rows]
        for one in series_tables(series, here, person_of, CLUBS.get)
    }
    weights = {one.tournament: Fraction(one.weight) for one in series.tournaments}
    nights = [
        reckoner.tournament(one, rows, weights[one.plan.tournament], person_of)
        for one, rows in season.tournaments
        if one.plan.tournament in ids
    ]
    return bool(told == reckoner.reckon(series, nights, person_of, CLUBS.get))
