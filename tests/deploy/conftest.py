"""Fixtures for every test of the command line."""

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the language to English, whatever the machine's locale is."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
