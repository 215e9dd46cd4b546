"""Open stores of either kind."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from deploy.stores.migrating import migrate
from deploy.stores.opening import OpenedEvents, open_events, open_projections
from projections.engine.store import Store


@pytest.fixture
def journal_url(database_url: str) -> str:
    migrate(database_url)
    return database_url


@pytest.fixture
def events(journal_url: str) -> Iterator[OpenedEvents]:
    with closing(open_events(journal_url)) as opened:
        yield opened


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with closing(open_projections(database_url)) as opened:
        yield opened
