"""A store with two games that a log has signed, on both databases, for the command line."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.compose import open_event_store
from deploy.keeping.beginning import begun, fork
from deploy.keeping.keeper import mark_at
from deploy.keeping.keys import log_files, seeds, signed_file
from deploy.keeping.opening import open_keeper, open_tree
from deploy.keeping.process import KeeperWork
from deploy.private import private_folder
from deploy.settings import Settings
from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import OpenedEvents, open_events, open_log_tree
from domain.journal.mapper import to_stored
from tests.append_only import drop_triggers
from tests.migrated import migrated_file
from tests.tampering import a_game

GAMES = [UUID(int=number, version=4) for number in (1, 2)]
BEGAN = datetime(2026, 11, 21, 20, tzinfo=UTC)


class Place:
    """Where a store lies, and how a command is told so."""

    def __init__(self, data: Path, url: str) -> None:
        self.settings = Settings(data, None if is_sqlite(url) else url, log_host="club.example")
        self.where = ("--data", data) if is_sqlite(url) else ("--data", data, "--database-url", url)

    def kiebitz(self, *arguments: object, lang: str = "en") -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in (*arguments, *self.where, "--lang", lang)])

    @contextmanager
    def events(self) -> Iterator[OpenedEvents]:
        with closing(open_events(self.settings.journal_url)) as events:
            yield events

    def begin(self) -> None:
        with open_event_store(self.settings) as events:
            events.settle()
            begun(self.settings, events, seeds(self.settings), BEGAN)

    def fork(self) -> None:
        with open_event_store(self.settings) as events, closing(open_tree(self.settings)) as tree:
            fork(events, tree, seeds(self.settings), signed_file(self.settings).note(), BEGAN)

    def sign(self) -> str:
        """What was signed."""
        files = log_files(self.settings)
        work = KeeperWork(self.settings.journal_url, self.settings.log_url, str(files.key), str(files.signed))
        with open_keeper(work, seeds(self.settings).log) as keeper:
            while keeper.step():
                pass
        return files.signed.read_text(encoding="utf-8")

    def mark(self, leaf: int) -> bytes:
        with closing(open_tree(self.settings)) as tree:
            return mark_at(tree, leaf)

    def forget_tree(self) -> None:
        with closing(open_log_tree(self.settings.log_url)) as tree:
            tree.begin(1)

    def tamper(self, sql: str, *values: Any) -> None:
        with self.events() as events:
            drop_triggers(events)
            events.change(sql, values)


@pytest.fixture
def journal_url(database_url: str, tmp_path: Path) -> str:
    data = tmp_path / "data"
    private_folder(data)
    if not is_sqlite(database_url):
        return database_url
    migrated_file(data / "journal.db")
    return f"sqlite:///{data / 'journal.db'}"


@pytest.fixture
def place(journal_url: str, tmp_path: Path) -> Place:
    """Two games, and a log that has signed nothing yet."""
    found = Place(tmp_path / "data", journal_url)
    with found.events() as events:
        for game in GAMES:
            events.insert_events([to_stored(recorded) for recorded in a_game(game=game)])
    found.begin()
    return found
