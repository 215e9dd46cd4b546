"""Two hundred random seasons give the same tables as another reckoner, now and as of each tournament."""

from fractions import Fraction

import pytest

from domain.series.tables import order_tournaments, series_tables, tournaments_until
from tests.domain.series import reckoner
from tests.domain.series.season import RandomSeason

MERGED = {"p07": "p11", "s3": "p20", "s5": "s6"}
CLUBS = {f"p{number:02}": ("Condor", "Dohle", None)[number % 3] for number in range(60)}


def person_of(player: str) -> str:
    return MERGED.get(player, player)


def both(of: RandomSeason, upto: int | None = None):
    """The tables of the product and those of the other reckoner, with the first so many tournaments."""
    series = of.series(of.a_plan())
    played = of.played(series, person_of)
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
        for one, rows in of.tournaments
        if one.plan.tournament in ids
    ]
    return told, reckoner.reckon(series, nights, person_of, CLUBS.get)


@pytest.mark.parametrize("seed", range(8))
def test_twenty_five_plans_of_a_season_of_sixty_people_are_reckoned_alike(seed: int):
    of = RandomSeason(seed)
    differing = [number for number in range(25) if (pair := both(of)) and pair[0] != pair[1]]
    assert differing == []


def test_they_are_alike_as_of_each_tournament():
    of = RandomSeason(99)
    assert [upto for upto in range(10) if (pair := both(of, upto)) and pair[0] != pair[1]] == []
