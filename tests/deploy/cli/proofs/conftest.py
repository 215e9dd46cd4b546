"""Fixtures: two games and a log that has signed nothing yet.

Audits on PostgreSQL are tested in `tests/deploy/log/writer/test_trials.py`.
"""

from pathlib import Path

import pytest

from tests.deploy.log.writer.logged_store import GAMES, Place, place_at


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = place_at(tmp_path / "data", "sqlite:///")
    found.record(*GAMES)
    found.begin()
    return found
