"""A store of the projections, on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from projections.engine.store import Store
from projections.store import open_store


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()
