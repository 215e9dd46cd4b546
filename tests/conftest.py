"""Fixtures for all tests: a real PostgreSQL server, and a fresh database of either kind."""

import gc
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.forking import Process
from tests.migrated import migrated_database
from tests.postgres import NoServerError, Server, clear_database, drop_database, fresh_database, running_server

# No deadline per example, because a loaded machine is not an error. Every run has the same examples; `./run law` and the like are random.
settings.register_profile("kiebitz", deadline=None, print_blob=True, max_examples=20, derandomize=True)
settings.register_profile("quick", settings.get_profile("kiebitz"), max_examples=10)  # of `./run test --quick`
settings.load_profile("kiebitz")

# A shell makes its background processes ignore SIGINT, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

_CLEARED: list[str] = []
"""Databases of the test process that are empty again."""
WITH_TABLES = {"journal_url", "any_service", "migrated"}


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Tune garbage collection: modules and thousands of tests stay to the end and need no scan.

    Fewer collections save a twentieth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="module", autouse=True)
def _processes_are_forked() -> Iterator[None]:
    """Fork the processes that the product starts from within the tests, too: each saves its imports, which take a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Process)
        yield


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute processes all the same, for a test of what they inherit. A fork closes all other files, and keeps no processor of its parent."""
    monkeypatch.setattr(subprocess, "Popen", Process.__base__)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Start a server for each test process, when a test first requests it."""
    try:
        with running_server() as server:
            yield server
    except NoServerError as reason:
        give_up(f"no PostgreSQL server: {reason}")


def give_up(reason: str) -> None:
    """Skip the test; fail it in CI, where a skipped test would hide what it should show."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def nothing_collected() -> Iterator[None]:
    """Disable garbage collection, for tests that exhaust the stack.

    A finalizer of an object that an earlier test left behind would fail there, and the test with it.
    """
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: Server) -> Iterator[str]:
    """Yield a new PostgreSQL database, dropped afterwards. It is empty, except for tests that request a store with its tables."""
    migrated = not WITH_TABLES.isdisjoint(request.fixturenames)
    if "store" in request.fixturenames and not migrated:
        yield from _cleared_database(postgres_server)
        return
    url = migrated_database(postgres_server) if migrated else fresh_database(postgres_server)
    yield url
    drop_database(postgres_server, url)


def _cleared_database(server: Server) -> Iterator[str]:
    """Yield a database that an earlier test may have had. Only for stores of projections: nobody else opens them, nobody is left behind."""
    url = _CLEARED.pop() if _CLEARED else fresh_database(server)
    yield url
    if clear_database(server, url):
        _CLEARED.append(url)
    else:
        drop_database(server, url)


@pytest.fixture
def migrated(postgres_url: str) -> str:
    """Return a new PostgreSQL database that has its tables."""
    return postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a new, empty database (see ``postgres_url``). A test that requests it runs once with each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kiebitz.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url
