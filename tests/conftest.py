"""Fixtures for all tests: a real PostgreSQL server, and a fresh database of either kind."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.migrated import migrated_database
from tests.postgres import NoServerError, Server, drop_database, fresh_database, running_server

# No deadline per example: a loaded machine is not a wrong program. The same examples in every run: chance is for `./run law` and the like.
settings.register_profile("kiebitz", deadline=None, print_blob=True, max_examples=20, derandomize=True)
settings.register_profile("quick", settings.get_profile("kiebitz"), max_examples=10)  # of `./run test --quick`
settings.load_profile("kiebitz")

# A shell lets what it runs in the background ignore it, and every process that is started inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

WITH_TABLES = {"journal_url", "any_service", "migrated"}


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Modules and thousands of tests stay to the end: no collection of garbage has to look through them again. Seldom ones spare a
    twentieth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One for each test process, started when a test first asks for it."""
    try:
        with running_server() as server:
            yield server
    except NoServerError as reason:
        give_up(f"no PostgreSQL server: {reason}")


def give_up(reason: str) -> None:
    """A developer may do without; where nobody looks, a skipped test would hide what it should show."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def nothing_collected() -> Iterator[None]:
    """For tests that go to the end of the stack: a finalizer that ran there, of what an earlier test left behind, would fail, and the test
    with it."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: Server) -> Iterator[str]:
    """A new PostgreSQL database, dropped afterwards. Empty, but for tests that ask for a store with its tables."""
    migrated = not WITH_TABLES.isdisjoint(request.fixturenames)
    url = migrated_database(postgres_server) if migrated else fresh_database(postgres_server)
    yield url
    drop_database(postgres_server, url)


@pytest.fixture
def migrated(postgres_url: str) -> str:
    """A new PostgreSQL database that has its tables."""
    return postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database (see ``postgres_url``). A test that asks for it runs once with each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kiebitz.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url
