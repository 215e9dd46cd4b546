"""Fixtures that replace those of ``conftest.py`` where a test needs no store of its own: on PostgreSQL the tests of a file share one.

A database of its own and the connections to it take ten times as long as most of these tests.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from deploy.stores.opening import OpenedEvents, open_events
from tests.migrated import copy_rows, migrated_database, migrated_file, restore_rows
from tests.postgres import Server, drop_database


class Shared(NamedTuple):
    url: str
    events: OpenedEvents
    connection: psycopg.Connection
    rows: dict[str, bytes]
    """Of each table, as it was migrated."""


@pytest.fixture(scope="module")
def shared(postgres_server: Server) -> Iterator[Shared]:
    url = migrated_database(postgres_server)
    with closing(open_events(url)) as events, psycopg.connect(url) as connection:
        yield Shared(url, events, connection, copy_rows(connection))
    drop_database(postgres_server, url)


@pytest.fixture(params=["sqlite", "postgresql"])
def journal_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a database with its tables and nothing in them."""
    return str(request.getfixturevalue("shared").url) if request.param == "postgresql" else _file_in(tmp_path)


@pytest.fixture
def events(request: pytest.FixtureRequest, journal_url: str) -> Iterator[OpenedEvents]:
    if journal_url.startswith("sqlite"):
        with closing(open_events(journal_url)) as opened:
            yield opened
        return
    shared: Shared = request.getfixturevalue("shared")
    yield shared.events
    restore_rows(shared.connection, shared.rows)
    shared.connection.commit()
    shared.events._line = None  # what it knows of the events that are gone
    shared.events.reset_heads()


@pytest.fixture(params=["sqlite", "postgresql"])
def own_events(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenedEvents]:
    """A store of its own, for a test that closes it or changes its tables."""
    server: Server | None = request.getfixturevalue("postgres_server") if request.param == "postgresql" else None
    url = migrated_database(server) if server else _file_in(tmp_path)
    with closing(open_events(url)) as opened:
        yield opened
    if server:
        drop_database(server, url)


def _file_in(folder: Path) -> str:
    migrated_file(folder / "kiebitz.db")
    return f"sqlite:///{folder / 'kiebitz.db'}"
