"""Days, months and moments in time zones."""

from datetime import UTC, datetime

from domain.time_zones import is_time_zone, month_of, parse_instant, to_local
from tests.each import each

LATE = datetime(2026, 10, 31, 23, 20, tzinfo=UTC)


@each(
    ("zone", "month", "day"),
    [("UTC", "2026-10", 31), ("Europe/Berlin", "2026-11", 1), ("America/New_York", "2026-10", 31), ("Nowhere/Else", "2026-10", 31)],
)
def test_a_moment_has_the_day_and_month_of_its_zone_and_of_utc_where_none_is_known(zone: str, month: str, day: int):
    assert (month_of(LATE, zone), to_local(LATE, zone).day) == (month, day)


@each(
    ("text", "moment"),
    [
        ("2026-11-01", "2026-10-31T23:00:00+00:00"),
        ("2026-07-01", "2026-06-30T22:00:00+00:00"),
        ("2026-11-01T00:20:00", "2026-10-31T23:20:00+00:00"),
        ("2026-11-01T00:20:00Z", "2026-11-01T00:20:00+00:00"),
        ("2026-11-01T00:20:00-05:00", "2026-11-01T05:20:00+00:00"),
    ],
)
def test_a_date_or_a_time_without_an_offset_is_meant_in_the_zone(text: str, moment: str):
    found = parse_instant(text, "Europe/Berlin")
    assert found is not None
    assert found.isoformat() == moment


@each("text", ["", "november", "2026-13-01", "2026-11-01T25:00:00", "0001-01-01"])
def test_what_is_no_moment_is_none(text: str):
    assert parse_instant(text, "Europe/Berlin") is None


@each("name", ["", "/etc/passwd", "../UTC", "Berlin", "Europe", "Europe/Berlin\x00"])
def test_what_is_no_name_of_a_zone_is_none(name: str):
    assert not is_time_zone(name)
