"""Fixtures for every test of the command line and of served processes."""

import pytest

from tests.migrated import copy_into_new_files


@pytest.fixture(scope="session", autouse=True)
def _new_stores_are_copies() -> None:
    copy_into_new_files()


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the language to English, whatever the machine's locale is."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
