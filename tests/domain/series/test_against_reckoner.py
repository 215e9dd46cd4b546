"""Random seasons give the same tables as another reckoner. ``./run law`` holds two hundred plans; here are a few."""

import pytest

from tests.domain.series.law import find_differences
from tests.domain.series.season import RandomSeason


@pytest.mark.parametrize("seed", range(2))
def test_seasons_of_sixty_people_are_reckoned_alike_as_of_each_tournament_and_after_late_rulings(seed: int):
    assert list(find_differences(seed, plans=1)) == []


def test_a_late_ruling_changes_the_standings_of_one_tournament_that_is_over():
    season = RandomSeason(7)
    before = list(season.tournaments)
    season.rule_late()
    ((changed, _),) = [now for now, then in zip(season.tournaments, before, strict=True) if now != then]
    assert changed.ended_at is not None
