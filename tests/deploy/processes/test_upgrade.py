"""Copy of the embedded store before an upgrade: without it the upgrade does not begin."""

import gzip
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.compose import open_event_store
from deploy.config.settings import Settings
from deploy.processes.journal_file import upgrade
from deploy.stores.migrating import pending
from domain.version import VERSION
from tests.deploy.cli.test_backup import small_files
from tests.migrated import migrated_file

OLD = Path(__file__).parents[2] / "upgrades" / "stores" / "fd24e6a8" / "sqlite.db.gz"


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def old(tmp_path: Path) -> Settings:
    """A data folder as an older version left it."""
    settings = Settings(tmp_path / "data")
    settings.data.mkdir(mode=0o700)
    settings.journal_file.write_bytes(gzip.decompress(OLD.read_bytes()))
    return settings


def copies(settings: Settings) -> list[Path]:
    return list(settings.data.glob("journal.db.before-*"))


def head(file: Path) -> int:
    with closing(sqlite3.connect(file)) as opened:
        return int(opened.execute("SELECT max(sequence) FROM events").fetchone()[0])


def test_the_store_is_copied_before_a_migration_and_the_command_says_where(old: Settings, tmp_path: Path):
    missing = pending(old.journal_url)
    result = kiebitz("migrate", "--data", old.data)
    [copy] = copies(old)
    assert (result.exit_code, result.output.splitlines()[0]) == (0, f"The earlier store is kept in {copy}.")
    assert copy.name.startswith(f"journal.db.before-{VERSION}-")
    assert (pending(f"sqlite:///{copy}"), copy.stat().st_mode & 0o777) == (missing, 0o600)
    assert (old.data / "journal.db.migrating").stat().st_mode & 0o777 == 0o600
    assert kiebitz("restore", copy, "--data", tmp_path / "other").exit_code == 0
    assert head(tmp_path / "other" / "journal.db") == head(old.journal_file)


def test_whatever_opens_an_older_store_copies_it_first_and_says_where(old: Settings, caplog: pytest.LogCaptureFixture):
    with open_event_store(old):
        [copy] = copies(old)
    assert pending(f"sqlite:///{copy}")
    assert f"the store before the upgrade to Kiebitz {VERSION} is kept in {copy}" in caplog.text
    with open_event_store(old):
        assert copies(old) == [copy]


def test_where_nothing_is_to_be_migrated_no_copy_is_made(tmp_path: Path):
    new, known = Settings(tmp_path / "new"), Settings(tmp_path / "known")
    migrated_file(known.journal_file)
    for settings in (new, known):
        assert kiebitz("migrate", "--data", settings.data).exit_code == 0
        assert copies(settings) == []


def test_without_a_copy_no_upgrade_begins_unless_it_is_asked_for(old: Settings):
    missing = pending(old.journal_url)
    with small_files(100_000):
        for command in ("migrate", "serve"):
            refused = kiebitz(command, "--data", old.data, "--lang", "en")
            assert (refused.exit_code, copies(old), pending(old.journal_url)) == (1, [], missing)
            assert "so nothing was upgraded" in refused.output
            assert f"Is {old.data} full?" in refused.output
            assert f"`kiebitz migrate --no-backup --data {old.data}` upgrades without a copy." in refused.output
    assert kiebitz("migrate", "--no-backup", "--data", old.data).exit_code == 0
    assert (copies(old), pending(old.journal_url)) == ([], [])


def test_an_upgrade_that_fails_leaves_a_copy_only_of_what_it_changed(old: Settings):
    missing = pending(old.journal_url)
    with closing(sqlite3.connect(old.journal_file)) as journal:
        journal.execute("CREATE TABLE shuffle_secrets (something)")
    kept = []
    for day in (1, 2, 3):
        with pytest.raises(sqlite3.OperationalError, match="shuffle_secrets"):
            upgrade(old, clock=partial(datetime, 2026, 12, day, tzinfo=UTC))
        kept.append(copies(old))
    [copy] = kept[0]
    assert kept == [[copy]] * 3
    assert (copy.name, pending(f"sqlite:///{copy}")) == (f"journal.db.before-{VERSION}-2026-12-01T000000Z", missing)
