"""For every test of the command line."""

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is spoken where the tests run."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
