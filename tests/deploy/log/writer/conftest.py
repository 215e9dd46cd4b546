"""Fixtures: a store with a log and its writer, on both databases."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from deploy.log.writer.key_files import SignedFile
from deploy.log.writer.writer import LogWriter
from deploy.stores.log import SqlLogTree
from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import OpenedEvents, open_events, open_log_tree
from deploy.stores.sqlite.connections import path_of
from domain.journal.log import FORKED, LogEpoch, OwnEntry
from replay.proof.checkpoints import Signer
from tests.append_only import drop_triggers
from tests.migrated import migrated_file
from tests.replay.proof.places import BLINDING

SEED = b"\1" * 32
AT = "2026-11-21T20:00:00Z"
EMBEDDED = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Of a test that asks a database for nothing that other tests do not ask both for."""


class House:
    """Time goes on when it is told to."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self.url, self.folder = url, folder
        self._stack = stack
        self.open_again()
        self.now = 0.0
        self.file = SignedFile(folder / "log.signed")
        self.tree = self.opened_tree()

    def open_again(self) -> None:
        """As by a process that has seen nothing yet: it does not know what was there before."""
        self.events: OpenedEvents = self._stack.enter_context(closing(open_events(self.url)))
        self.events.check_epoch()

    def set_back(self, position: int) -> None:
        """Delete the events from this position on, and open the store again.

        A store that stays open meanwhile may check itself, take this one for a copy, and begin an epoch.
        """
        self.events.close()
        with closing(open_events(self.url)) as events:
            drop_triggers(events)
            events.change("DELETE FROM events WHERE originator_version >= ?", (position,))
        self.open_again()

    def opened_tree(self) -> SqlLogTree:
        url = f"sqlite:///{self.folder / 'log.db'}" if is_sqlite(self.url) else self.url
        return self._stack.enter_context(closing(open_log_tree(url)))

    def begin(self, number: int = 1, forked: str | None = None) -> None:
        origin = f"kiebitz.example/log/{number}"
        epoch = LogEpoch(number, origin, str(Signer(origin, SEED).key), self.events.epoch.id, AT)
        self.events.begin_log(epoch, BLINDING, *([OwnEntry(number, 0, 1, FORKED, forked)] if forked else []))

    def keeper(self, tree: SqlLogTree | None = None, *seeds: bytes, gather: float = 0.0) -> LogWriter:
        """One that has these keys."""
        return LogWriter(self.events, tree or self.tree, partial(signer_of, seeds or (SEED,)), self.file, lambda: self.now, gather=gather)


@pytest.fixture
def journal_url(database_url: str) -> str:
    if is_sqlite(database_url):
        migrated_file(path_of(database_url))
    return database_url


@pytest.fixture
def house(journal_url: str, tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(journal_url, tmp_path, stack)


def signer_of(seeds: Sequence[bytes], epoch: LogEpoch) -> Signer | None:
    return next((signer for seed in seeds if str((signer := Signer(epoch.origin, seed)).key) == epoch.key), None)


Steps = Callable[[LogWriter], int]


@pytest.fixture
def caught_up() -> Steps:
    def step(keeper: LogWriter) -> int:
        steps = 0
        while keeper.step():
            steps += 1
        return steps

    return step
