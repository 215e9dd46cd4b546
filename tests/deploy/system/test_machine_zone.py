"""The time zone of the machine."""

from pathlib import Path

import pytest

from deploy.system.clock import find_machine_zone


@pytest.mark.parametrize(
    ("variable", "led", "zone"),
    [
        ("", "Europe/Berlin", "Europe/Berlin"),
        (":America/New_York", "Europe/Berlin", "America/New_York"),
        ("nonsense", "Etc/UTC", "UTC"),
        ("", "Nowhere", "UTC"),
    ],
)
def test_it_is_named_by_tz_or_else_by_the_link_of_the_local_time(tmp_path: Path, variable: str, led: str, zone: str):
    (tmp_path / "localtime").symlink_to(f"/usr/share/zoneinfo/{led}")
    assert find_machine_zone({"TZ": variable}, tmp_path / "localtime") == zone


def test_without_a_link_it_is_utc(tmp_path: Path):
    assert find_machine_zone({}, tmp_path / "localtime") == "UTC"
