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
from tests.migrated import migrated_database, renew_database
from tests.postgres import NoServerError, Server, clear_database, drop_database, fresh_database, running_server

# No deadline per example, because a loaded machine is not an error. Every run has the same examples; `./run law` and the like are random.
settings.register_profile("kiebitz", deadline=None, print_blob=True, max_examples=20, derandomize=True)
settings.register_profile("quick", settings.get_profile("kiebitz"), max_examples=10)  # of `./run test --quick`
settings.load_profile("kiebitz")

# The tests' server has no certificate. To ask it for one takes a twentieth of the time of what is tested on it.
os.environ |= {"PGSSLMODE": "disable", "PGGSSENCMODE": "disable"}

# A shell makes its background processes ignore SIGINT, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

_IDLE: dict[bool, list[str]] = {False: [], True: []}
"""Databases of the test process that are as new, without and with tables."""
_WITH_TABLES = {"journal_url", "any_service", "migrated"}
_IN_PROCESS = {"store", "journal_url", "any_service"}
"""Stores that no server opens, so that nobody is left behind in their databases."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Tune garbage collection: modules and thousands of tests stay to the end and need no scan.

    Without scans the collection of all tests takes 5.4 s of processor time in place of 8.8, in each test process. Fewer scans
    afterwards save a twentieth of the time.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


_LONG = (
    "clients/",
    "test_readme.py",
    "upgrades/",
    "deploy/server/",
    "pages/test_accessibility.py",
    "pages/record/",
    "pages/director/",
    "pages/",
)
"""Tests that take seconds, the longest first: at the end of a run no process waits for a long one in another."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def order(item: pytest.Item) -> int:
        return next((place for place, start in enumerate(_LONG) if item.nodeid.startswith(f"tests/{start}")), len(_LONG))

    items.sort(key=order)


@pytest.fixture(scope="module", autouse=True)
def _processes_are_forked() -> Iterator[None]:
    """Fork the processes that the product starts from within the tests, too: each saves its imports, which take a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Process)
        yield


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute processes all the same, for a test of what they inherit: a fork closes other files, and may run on any processor."""
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
    """Yield a new PostgreSQL database, or one made as new. It is empty, except for tests that request a store with its tables."""
    requested = set(request.fixturenames)
    tables = bool(requested & _WITH_TABLES)
    create, renew = (migrated_database, renew_database) if tables else (fresh_database, lambda _, url: clear_database(url))
    idle = _IDLE[tables] if requested & _IN_PROCESS and "migrated" not in requested else None
    url = idle.pop() if idle else create(postgres_server)
    yield url
    if idle is not None and renew(postgres_server, url):
        idle.append(url)
    else:
        drop_database(postgres_server, url)


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
