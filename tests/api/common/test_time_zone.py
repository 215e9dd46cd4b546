"""Days on pages."""

import pytest

from api.common.time_zone import format_day


@pytest.mark.parametrize(("language", "day"), [("en", "5 Mar 2026"), ("de", "05.03.2026")])
def test_a_day_is_written_as_people_write_it_in_the_zone_of_the_house(language: str, day: str):
    assert format_day("2026-03-04T23:30:00Z", "Europe/Berlin", language) == day
