"""An open journal of either kind, and a way to stop everybody from writing to it."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from domain.journal.migrate import migrate
from domain.journal.storage import Recorder, open_recorder


@pytest.fixture
def journal_url(database_url: str) -> str:
    migrate(database_url)
    return database_url


@pytest.fixture
def recorder(journal_url: str) -> Iterator[Recorder]:
    with closing(open_recorder(journal_url)) as opened:
        yield opened
