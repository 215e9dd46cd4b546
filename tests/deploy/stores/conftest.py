"""Fixtures: open stores of either kind."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import OpenedEvents, open_events, open_projections
from deploy.stores.sqlite.connections import path_of
from projections.engine.store import Store
from tests.migrated import migrated_file


@pytest.fixture
def journal_url(database_url: str) -> str:
    """A new database with its tables and nothing in them."""
    if is_sqlite(database_url):
        migrated_file(path_of(database_url))
    return database_url


@pytest.fixture
def events(journal_url: str) -> Iterator[OpenedEvents]:
    with closing(open_events(journal_url)) as opened:
        yield opened


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with closing(open_projections(database_url)) as opened:
        yield opened
