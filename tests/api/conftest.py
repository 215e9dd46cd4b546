"""A whole service over real stores, and a caller for each role."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from api.app import create_app
from api.house import House
from deploy.compose import opened_house
from deploy.settings import Settings
from domain.journal.storage import Token

ROLES = ("director", "recorder", "viewer")
CASES = sorted((Path(__file__).parent.parent / "cases" / "casino").glob("*.json"))


def secret(role: str) -> str:
    return f"kb_secret_of_the_{role}"


def add_token(house: House, role: str, name: str = "") -> str:
    """Registers a token and answers its secret."""
    name = name or role
    hashed = hashlib.sha256(secret(name).encode()).hexdigest()
    house.registers.add_token(Token(f"t_{name}", hashed, f"p_{name}", role, name, "2026-11-21T00:00:00Z"))
    return secret(name)


@dataclass
class Caller:
    """One who holds a token. Calls answer the response as it came."""

    client: TestClient[Litestar]
    token: str | None

    def call(self, method: str, path: str, **given: Any) -> Any:
        headers = dict(given.pop("headers", {}))
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.client.request(method, path, headers=headers, **given)

    def get(self, path: str, **given: Any) -> Any:
        return self.call("GET", path, **given)

    def post(self, path: str, body: object = None, **given: Any) -> Any:
        if body is not None:
            given["content"] = json.dumps(body)
            given["headers"] = {"Content-Type": "application/json", **given.get("headers", {})}
        return self.call("POST", path, **given)


@dataclass
class Service:
    house: House
    client: TestClient[Litestar]

    def caller(self, role: str | None) -> Caller:
        return Caller(self.client, secret(role) if role else None)


@contextmanager
def running(settings: Settings) -> Iterator[Service]:
    with opened_house(settings, alone=settings.embedded, migrate_too=True) as house:
        for role in ROLES:
            add_token(house, role)
        with TestClient(create_app(house), raise_server_exceptions=False) as client:
            yield Service(house, client)


def settings_of(tmp_path: Path, url: str | None = None) -> Settings:
    return Settings(data=tmp_path / "data", database_url=url)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(settings_of(tmp_path)) as service:
        yield service


@pytest.fixture
def any_service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    """Once on each kind of database."""
    with running(settings_of(tmp_path, None if database_url.startswith("sqlite") else database_url)) as service:
        yield service


@pytest.fixture
def recorder(service: Service) -> Caller:
    return service.caller("recorder")


@pytest.fixture
def viewer(service: Service) -> Caller:
    return service.caller("viewer")
