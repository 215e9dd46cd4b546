"""Two games and a log that has signed nothing yet, on both databases."""

from pathlib import Path

import pytest

from tests.deploy.keeping.place import GAMES, Place, place_at


@pytest.fixture
def journal_url(database_url: str) -> str:
    """With its tables, unless ``place_at`` makes one."""
    return database_url


@pytest.fixture
def place(journal_url: str, tmp_path: Path) -> Place:
    found = place_at(tmp_path / "data", journal_url)
    found.record(*GAMES)
    found.begin()
    return found
