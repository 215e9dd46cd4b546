"""A service that keeps a log, whose keeper steps when it is told to: an answer depends on no second."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from api.services import Services
from deploy.config.settings import Settings
from deploy.log.writer.writer import LogWriter
from replay.proof.checkpoints import VerifierKey, read_key
from replay.proof.log import Head, LogTree
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.deploy.serving import PATIENCE
from tests.kept_log import Kept, kept_log


@dataclass
class Logged:
    """A service and its keeper."""

    service: Service
    settings: Settings
    keeper: LogWriter
    looked: Event

    def sign(self) -> None:
        """All that is recorded so far."""
        self.service.sign()

    def sign_once_looked_at(self) -> None:
        """When somebody has looked how far it is signed from now on."""
        self.looked.clear()
        assert self.looked.wait(PATIENCE)
        self.sign()

    def caller(self, role: str | None) -> Caller:
        return self.service.caller(role)

    def known_keys(self) -> list[VerifierKey]:
        return [read_key(line) for line in self.caller(None).get("/v1/log/keys").text.splitlines()]


class Seen:
    """A tree that says when its head is looked at."""

    def __init__(self, tree: LogTree, looked: Event) -> None:
        self._tree, self._looked = tree, looked

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tree, name)

    def head(self) -> Head | None:
        self._looked.set()
        return self._tree.head()


@contextmanager
def logging(settings: Settings, **limits: Any) -> Iterator[Logged]:
    with ExitStack() as stack:
        looked, kept = Event(), list[Kept]()

        def with_log(services: Services) -> Services:
            kept.append(stack.enter_context(kept_log(settings, services)))
            seen: Any = Seen(kept[0].log.tree, looked)
            log = replace(kept[0].log, tree=seen)
            services = without_limits(services)
            return replace(services, log=log, limits=replace(services.limits, **limits))

        service = stack.enter_context(running(settings, with_log))
        service.sign = kept[0].sign
        yield Logged(service, settings, kept[0].keeper, looked)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    """One for all tests of a file; each opens games of its own."""
    with logging(settings_of(tmp_path_factory.mktemp("logged"))) as logged:
        yield logged


@pytest.fixture
def new_logged(tmp_path: Path) -> Iterator[Logged]:
    """A new one."""
    with logging(settings_of(tmp_path)) as logged:
        yield logged


@pytest.fixture
def any_logged(database_url: str, tmp_path: Path) -> Iterator[Logged]:
    """A new one, once on each kind of database."""
    url = None if database_url.startswith("sqlite") else database_url
    with logging(settings_of(tmp_path, url)) as logged:
        yield logged
