"""A whole service over real stores, and a caller for each role. Every answer is held against the OpenAPI document."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from api.app import App, register_routes, set_services
from api.common import long_reads
from api.http.browsers import cookies
from api.http.request import part_of
from api.services import Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.access import UNBOUND, Grant
from domain.journal.sessions import Token
from tests.api.client import Client
from tests.api.contract import Contract
from tests.deploy.serving import PATIENCE
from tests.evening.book import split_method
from tests.migrated import migrated_database, migrated_file
from tests.postgres import Server

ROLES = ("director", "recorder", "arbiter", "committee", "viewer")
CASES = sorted((Path(__file__).parent.parent / "cases" / "casino").glob("*.json"))
BODY = {"Content-Type": "application/json"}


def secret(name: str) -> str:
    return f"kb_secret_of_the_{name}"


def add_token(services: Services, role: str, name: str = "", grant: Grant = UNBOUND, expires_at: str | None = None) -> str:
    """Registers a token and answers its secret."""
    name = name or role
    hashed = hashlib.sha256(secret(name).encode()).hexdigest()
    services.registers.add_token(Token(f"t_{name}", hashed, f"p_{name}", role, name, "2026-11-21T00:00:00Z", None, grant, expires_at))
    return secret(name)


def link(answer: Any, relation: str = "next") -> str:
    """Where the answer leads by this relation (RFC 8288); nothing where it leads nowhere."""
    return str(answer.links.get(relation, {}).get("url", ""))


def ended(path: str) -> str:
    """A stream has to end by itself: this client waits for whole answers. ``tests/api/followers.py`` has those who follow."""
    address, _, query = path.partition("?")
    return f"{path}{'&' if query else '?'}follow=false" if address.endswith("/stream") and "follow=" not in query else path


@dataclass
class Caller:
    """One who holds a token. Calls answer the response as it came."""

    client: Client
    contract: Contract
    token: str | None

    def call(self, method: str, path: str, **given: Any) -> Any:
        headers = dict(given.pop("headers", {}))
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        answer = self.client.request(method, ended(path), headers=headers, **given)
        self.client.cookies.clear()  # callers share the client, but are nobody's browser
        assert list(self.contract.violations(method, path, answer)) == []
        return answer

    def get(self, path: str, **given: Any) -> Any:
        return self.call("GET", path, **given)

    def send(self, method: str, path: str, body: object = None, **given: Any) -> Any:
        if body is not None:
            given["content"] = body if isinstance(body, str | bytes) else json.dumps(body)
            given["headers"] = {**BODY, **given.get("headers", {})}
        return self.call(method, path, **given)

    def post(self, path: str, body: object = None, **given: Any) -> Any:
        """POST, or as a method before the path says: ``PUT /v1/…``."""
        return self.send(*split_method(path), body, **given)

    def put(self, path: str, body: object = None, **given: Any) -> Any:
        return self.send("PUT", path, body, **given)

    def delete(self, path: str, **given: Any) -> Any:
        return self.call("DELETE", path, **given)

    def patch(self, path: str, body: object, **given: Any) -> Any:
        return self.call("PATCH", path, json=body, **given)

    # What most tests begin with

    def open(self, **wanted: Any) -> str:
        answer = self.post("/v1/games", {"ruleset": "casino", "seats": 2, **wanted})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["game"])

    def deal(self, game: str, *deck: str, dealer: int = 1) -> dict[str, Any]:
        given = {"deck": list(deck), "fill": "sorted"} if deck else {}
        answer = self.post(f"/v1/games/{game}/hands", {"dealer": dealer, **given})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def trail(self, game: str, seat: int, card: str, **given: Any) -> Any:
        return self.post(f"/v1/games/{game}/moves", trailing(seat, card), **given)


def trailing(seat: int, card: str) -> dict[str, Any]:
    return {"seat": seat, "move": {"type": "trail", "card": card}}


@dataclass
class Service:
    services: Services
    client: Client
    contract: Contract
    sign: Callable[[], None] = lambda: None
    """Signs the log, where there is one (``tests/api/log``)."""

    def caller(self, role: str | None) -> Caller:
        return Caller(self.client, self.contract, secret(role) if role else None)


@contextmanager
def running(settings: Settings, change: Callable[[Services], Services] = lambda services: services) -> Iterator[Service]:
    if settings.embedded and not settings.data.exists():
        migrated_file(settings.journal_file)
    with open_services(settings, alone=settings.embedded, migrate_too=True) as opened:
        services = change(opened)
        for role in () if services.registers.list_tokens() else ROLES:
            add_token(services, role)
        with app_of(services) as app, Client(app) as client:
            client.headers["Accept-Encoding"] = "identity"  # answers as they are written; test_packing.py unpacks them
            yield Service(services, client, _contract(client))


_IDLE: list[App] = []
"""Applications that nobody uses just now: their routes need not be registered anew."""


@contextmanager
def app_of(services: Services) -> Iterator[Litestar]:
    app = _IDLE.pop() if _IDLE else register_routes()
    set_services(app, services)
    yield app
    _IDLE.append(app)


_CONTRACTS: dict[frozenset[str], Contract] = {}


def _contract(client: Client) -> Contract:
    """Return the promises of every service of this version with these rulesets; the first one of a process is asked."""
    rulesets = frozenset(part_of(client.app, Services).rulesets)
    if rulesets not in _CONTRACTS:
        _CONTRACTS[rulesets] = Contract(client.get("/openapi.json").json())
    return _CONTRACTS[rulesets]


def settings_of(folder: Path, url: str | None = None) -> Settings:
    return Settings(data=folder / "data", database_url=url)


def journal_url_of(folder: Path, database_url: str) -> str:
    """Where ``any_service`` keeps its events."""
    return settings_of(folder, None if database_url.startswith("sqlite") else database_url).journal_url


def without_limits(services: Services) -> Services:
    """Neither of requests nor of time: a test depends on no speed."""
    return replace(services, limits=replace(services.limits, per_second=None, answer=PATIENCE))


@pytest.fixture(scope="module", autouse=True)
def codes_are_digested_fast() -> Iterator[None]:
    """Without the cost that keeps a code from being guessed: each time it is shown it takes 12 ms, more than all the rest of its test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cookies, "_COST", 2)
        yield


@pytest.fixture(scope="module", autouse=True)
def long_reads_stay_here() -> Iterator[None]:
    """In a thread: another process takes 40 ms to begin, and gives way to everybody. ``test_readers.py`` reads by processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_reads, "FEW", 10**6)
        yield


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all tests of a file; each opens games of its own."""
    with running(settings_of(tmp_path_factory.mktemp("service")), without_limits) as service:
        yield service


@pytest.fixture
def new_service(tmp_path: Path) -> Iterator[Service]:
    """One of its own, for tests of what stands in a store in all."""
    with running(settings_of(tmp_path), without_limits) as service:
        yield service


@pytest.fixture
def any_service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    """A new one, once on each kind of database: for what a database does, and not what lies above it."""
    with running(settings_of(tmp_path, None if database_url.startswith("sqlite") else database_url), without_limits) as service:
        yield service


@pytest.fixture(scope="session")
def postgres_service(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One on a database server for all tests of the process: each opens games, and names players and tournaments, of its own."""
    with running(settings_of(tmp_path_factory.mktemp("on_postgres"), migrated_database(postgres_server)), without_limits) as service:
        yield service


@pytest.fixture(params=["sqlite", "postgresql"])
def either_service(request: pytest.FixtureRequest) -> Service:
    """That of the file, and once more the one on a database server."""
    found: Service = request.getfixturevalue("service" if request.param == "sqlite" else "postgres_service")
    return found


@pytest.fixture
def recorder(service: Service) -> Caller:
    return service.caller("recorder")


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


@pytest.fixture
def viewer(service: Service) -> Caller:
    return service.caller("viewer")


@pytest.fixture
def nobody(service: Service) -> Caller:
    return service.caller(None)
