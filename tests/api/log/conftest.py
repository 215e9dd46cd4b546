"""A service that keeps a log, whose keeper steps when it is told to: an answer depends on no second."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from api.services import Services
from deploy.keeping.keeper import Keeper
from deploy.keeping.keys import log_files, signed_file, signer_at
from deploy.keeping.opening import open_log
from deploy.settings import Settings
from deploy.stores.opening import open_events, open_log_tree
from replay.proof.log import Head, LogTree
from replay.proof.notes import VerifierKey, read_key
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.deploy.serving import PATIENCE


@dataclass
class Logged:
    """A service and its keeper."""

    service: Service
    settings: Settings
    keeper: Keeper
    looked: Event

    def sign(self) -> None:
        """All that is recorded so far."""
        while self.keeper.step():
            pass

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
def logging(settings: Settings) -> Iterator[Logged]:
    with ExitStack() as stack:
        looked = Event()

        def with_log(services: Services) -> Services:
            log = stack.enter_context(open_log(settings, services))
            assert log is not None
            return replace(without_limits(services), log=replace(log, tree=Seen(log.tree, looked)))  # type: ignore[arg-type]

        service = stack.enter_context(running(settings, with_log))
        events, tree = open_events(settings.journal_url, read_only=True), open_log_tree(settings.log_url)
        stack.callback(events.close)
        stack.callback(tree.close)
        seconds = count(step=10)  # so that it may sign at each step
        signer_of = partial(signer_at, log_files(settings).key)
        yield Logged(service, settings, Keeper(events, tree, signer_of, signed_file(settings), lambda: next(seconds)), looked)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    """One for all tests of a file; each opens games of its own."""
    with logging(replace_host(settings_of(tmp_path_factory.mktemp("logged")))) as logged:
        yield logged


@pytest.fixture
def any_logged(database_url: str, tmp_path: Path) -> Iterator[Logged]:
    """A new one, once on each kind of database."""
    url = None if database_url.startswith("sqlite") else database_url
    with logging(replace_host(settings_of(tmp_path, url))) as logged:
        yield logged


def replace_host(settings: Settings) -> Settings:
    return Settings(data=settings.data, database_url=settings.database_url, log_host="club.example")
