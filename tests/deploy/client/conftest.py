"""A real service for the tests of the client."""

from collections.abc import Iterator

import pytest
from kiebitz_client import Kiebitz

from tests.deploy.serving import Served, served


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--data", tmp_path_factory.mktemp("client") / "data") as server:
        yield server


@pytest.fixture
def kiebitz(server: Served) -> Iterator[Kiebitz]:
    with Kiebitz(server.url, server.token) as kiebitz:
        yield kiebitz
