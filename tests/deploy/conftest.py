"""Fixtures for every test of the command line and of served processes."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.forking import Process
from tests.migrated import copy_into_new_files


@pytest.fixture(scope="session", autouse=True)
def _new_stores_are_copies() -> None:
    copy_into_new_files()


@pytest.fixture(scope="module", autouse=True)
def _processes_are_forked() -> Iterator[None]:
    """Fork the processes that the product starts from within the tests, too: each saves its imports, which take a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Process)
        yield


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute processes all the same, for a test of what they inherit: a fork closes all other files itself."""
    monkeypatch.setattr(subprocess, "Popen", Process.__base__)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the language to English, whatever the machine's locale is."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
