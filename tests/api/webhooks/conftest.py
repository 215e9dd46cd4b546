"""A service that may send to a receiver on loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.conftest import Service, running, settings_of
from tests.api.webhooks.receiving import Receiver, may_send_here, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


@pytest.fixture
def sending(tmp_path: Path) -> Iterator[Service]:
    """A new one."""
    with running(settings_of(tmp_path), may_send_here) as service:
        yield service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("webhooks")), may_send_here) as service:
        yield service
