"""Moments on pages: in the time zone of the tournament or the house, wherever the device is."""

import json
from pathlib import Path

import pytest

from tests.npm import NODE, started

HERE = Path(__file__).parent
SAY = HERE.parents[1] / "api" / "assets" / "say.js"
LATE = "2026-10-31T23:20:00Z"


@pytest.mark.parametrize(
    ("zone", "moments"),
    [
        ("Europe/Berlin", ["01.11.2026, 00:20", "00:20", "31.10.2026, 01:00"]),
        ("America/New_York", ["19:20", "31.10.2026, 19:20", "30.10.2026, 20:00"]),
        ("Nowhere/Else", ["23:20", "31.10.2026, 23:20", "31.10.2026"]),
        (None, ["23:20", "31.10.2026, 23:20", "31.10.2026"]),
    ],
)
def test_a_moment_is_told_in_the_zone_of_the_page_and_midnight_as_its_day(tmp_path: Path, zone: str | None, moments: list[str]):
    told = [[LATE, "2026-10-31T21:00:00Z"], [LATE, "2026-11-01T10:00:00Z"], ["2026-10-31T00:00:00Z", "2026-11-01T10:00:00Z"]]
    (tmp_path / "given.json").write_text(json.dumps({"lang": "de", "zone": zone, "moments": told}), encoding="utf-8")
    said = started(NODE, "--no-warnings", HERE / "moments.mjs", SAY, tmp_path / "given.json", tmp_path / "found.json", TZ="UTC")
    assert (said.returncode, said.stdout) == (0, "")
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8")) == moments
