"""Store with a signed log in any location, and operations that can happen to it."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.compose import open_event_store
from deploy.config.settings import Settings
from deploy.log.writer.compose import LogWork, open_log_writer, open_tree
from deploy.log.writer.epochs import begin_log, fork
from deploy.log.writer.key_files import log_files, open_signed_file, seeds
from deploy.stores.migrating import is_sqlite
from deploy.stores.opening import OpenedEvents, open_events, open_log_tree
from domain.journal.commits import to_stored
from replay.proof.checkpoints import Checkpoint, read_checkpoint
from replay.proof.log import Head, mark_at
from tests.append_only import drop_triggers
from tests.deploy.freezing import children
from tests.deploy.serving import Served, done
from tests.migrated import migrated_file
from tests.postgres import Server, fresh_database
from tests.tampering import a_game

GAMES = [UUID(int=number, version=4) for number in (1, 2)]
BEGAN = datetime(2026, 11, 21, 20, tzinfo=UTC)


_HOLD = """
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
CREATE TRIGGER hold BEFORE UPDATE OF note ON log_head FOR EACH ROW EXECUTE FUNCTION hold();
SELECT pg_advisory_lock(1);
"""


class Place:
    """Location of a store, and the flags with which a command finds it."""

    def __init__(self, data: Path, url: str, keys: Path | None = None) -> None:
        self.settings = Settings(data, None if is_sqlite(url) else url, log_host="club.example", log_folder=keys)
        self.where = ("--data", data) if is_sqlite(url) else ("--data", data, "--database-url", url)

    def kiebitz(self, *arguments: object, lang: str = "en") -> Result:
        given = [str(argument) for argument in (*arguments, *self.where, "--lang", lang)]
        keys = self.settings.log_folder
        return CliRunner().invoke(main, given, env={"KIEBITZ_LOG_FOLDER": str(keys)} if keys else {})

    def record(self, *games: UUID) -> None:
        with self.events() as events:
            for game in games:
                events.insert_events([to_stored(recorded) for recorded in a_game(game=game)])

    @contextmanager
    def events(self) -> Iterator[OpenedEvents]:
        with closing(open_events(self.settings.journal_url)) as events:
            yield events

    def begin(self) -> None:
        with open_event_store(self.settings) as events:
            events.check_epoch()
            begin_log(self.settings, events, BEGAN)

    def settle(self) -> None:
        """As the first start of a service does in a new place."""
        with open_event_store(self.settings) as events:
            events.check_epoch()

    def fork(self) -> None:
        with open_event_store(self.settings) as events, closing(open_tree(self.settings)) as tree:
            fork(events, tree, seeds(self.settings), open_signed_file(self.settings).note(), BEGAN)

    def sign(self) -> str:
        """Sign everything; return what was signed."""
        files = log_files(self.settings)
        work = LogWork(self.settings.journal_url, self.settings.log_url, str(files.key), str(files.signed))
        with open_log_writer(work) as keeper:
            while keeper.step():
                pass
        return self.note

    @property
    def note(self) -> str:
        return log_files(self.settings).signed.read_text(encoding="utf-8")

    @property
    def signed(self) -> Checkpoint:
        return read_checkpoint(self.note)

    def head(self) -> Head:
        with closing(open_tree(self.settings)) as tree:
            head = tree.head()
        assert head is not None
        return head

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

    def tamper_tree(self, sql: str) -> None:
        with closing(open_log_tree(self.settings.log_url)) as tree, tree.store.transaction() as tx:
            tx.run(sql)

    def copied(self, server: Server | None, folder: Path) -> "Place":
        """Copy the database as it is now, as a backup would, beside the keys of this store. There must be no connections."""
        keys, url = self.settings.log_keys, self.settings.database_url
        if url is not None:
            assert server is not None
            return Place(self.settings.data, fresh_database(server, url.rsplit("/", 1)[1]), keys)
        folder.mkdir(mode=0o700)
        assert self.kiebitz("backup", folder / "journal.db").exit_code == 0
        return Place(folder, "sqlite:///", keys)

    def take_tree(self, of: "Place") -> None:
        """As one lays the file of before beside the older copy; a database has its own."""
        for file in of.settings.data.glob("log.db*"):
            shutil.copy(file, self.settings.data)

    def lose_tree(self) -> None:
        if self.settings.embedded:
            for file in self.settings.data.glob("log.db*"):
                file.unlink()
        else:
            self.tamper("DROP TABLE log_head, log_tiles, log_leaves")

    @contextmanager
    def publishing_held(self) -> Iterator[None]:
        """Let who has entered and signed wait until the end of the context before it publishes. On PostgreSQL."""
        with psycopg.connect(str(self.settings.database_url), autocommit=True) as connection:
            connection.execute(_HOLD)
            try:
                yield
            finally:
                connection.execute("SELECT pg_advisory_unlock(1)")
                connection.execute("DROP FUNCTION hold CASCADE")


def place_at(data: Path, url: str) -> Place:
    """With its tables. ``url``: of a database that has them, or any of SQLite, for one in this folder."""
    if is_sqlite(url):
        migrated_file(data / "journal.db")
    else:
        data.mkdir(mode=0o700)
    return Place(data, url)


def logged(server: Served, token: str | None = None) -> dict[str, Any]:
    """Return what /health/ready reports about the log, and about the service."""
    with server.client(token) as client:
        told = done(client.get("/health/ready"))
    return {**told["log"], "status": told["status"], "head": told["head"]}


def signed_by(server: Served, token: str | None = None, least: int = 0) -> dict[str, Any] | None:
    """Return the report if everything is signed, else None.

    It may be a second old. ``least`` is the number of entries to wait for, known from an earlier request.
    """
    told = logged(server, token)
    return told if told["signed"] == told["entries"] >= max(told["head"], least) and told["error"] is None else None


def keeper_of(server: Served) -> int:
    """The process that keeps the log."""
    [process] = [one for one in children(server.process.pid) if "deploy.log.writer.main" in _called(one)]
    return process


def _called(process: int) -> list[str]:
    return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")
