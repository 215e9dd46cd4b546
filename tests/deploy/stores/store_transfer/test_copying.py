"""Copy of whole stores between databases: every row of every table is unchanged, also after a kill."""

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deploy.stores.migrating import is_being_filled, migrate
from deploy.stores.opening import open_end, open_events, open_projections
from deploy.stores.postgres import append
from deploy.stores.postgres.connections import Connection
from deploy.stores.store_transfer import ContentMismatchError, End, TransferConflictError, begin, compare, copy, finish
from domain.journal.commits import StoreUnavailableError
from domain.journal.registers import Duplicate
from projections.engine.store import Store
from tests.deploy.stores.shortening import shorten
from tests.deploy.stores.store_transfer.stores import GAMES, ends, filled_file, rows
from tests.deploy.stores.stores import commit, stored

PATIENCE = 0.3  # seconds of who cannot write meanwhile

TOKENS = "SELECT id, revoked_at FROM tokens ORDER BY id"
REVOKED = {2: "revoked_at 2 – ä\\N\t\n", 3: "now"}

COPYING = [sys.executable, "-P", "-m", "tests.deploy.stores.programs", "copy"]


def silent(_: int) -> None:
    """For who needs no progress."""


def transferred(source: str, target: str) -> str:
    """The digest of both."""
    with ends(source, target) as (there, here):
        if here.read_source_epoch() is None:
            begin(here, there.epoch()[0])
        copy(there, here, silent)
        digest = compare(there, here, silent).digest
    with closing(open_end(target)) as here:
        finish(here)
    return digest


def new_file(path: Path) -> str:
    migrate(f"sqlite:///{path}")
    return f"sqlite:///{path}"


def test_from_sqlite_to_postgresql_and_back_every_row_is_the_same(tmp_path: Path, migrated: str):
    source, back = filled_file(tmp_path / "journal.db"), new_file(tmp_path / "back.db")
    assert transferred(source, migrated) == transferred(migrated, back)
    assert rows(back) == rows(source)


@pytest.mark.parametrize("left", [5, 20], ids=["among events", "among registers"])
def test_what_was_killed_goes_on_where_it_was(journal_url: str, tmp_path: Path, left: int):
    source = filled_file(tmp_path / "source.db")
    killed = subprocess.run([*COPYING, source, journal_url, str(left)], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with closing(open_end(journal_url)) as here:
        assert (here.last_sequence(), is_being_filled(journal_url)) == (8 if left == 5 else 15, True)
    with closing(open_events(source)) as events:  # registers change meanwhile, and something is recorded
        events.change("UPDATE tokens SET revoked_at = 'now' WHERE revoked_at IS NULL")
        events.commit_group([commit(GAMES[0], 6)])
    transferred(source, journal_url)
    assert not is_being_filled(journal_url)
    with closing(open_events(source)) as before, closing(open_events(journal_url)) as after:
        assert stored(after) == stored(before)
        assert after.query(TOKENS) == before.query(TOKENS) == [(f"id {number} – ä\\N\t\n", REVOKED[number]) for number in REVOKED]


def test_sequences_go_on_behind_what_was_copied(journal_url: str, tmp_path: Path):
    source = filled_file(tmp_path / "source.db")
    transferred(source, journal_url)
    with closing(open_events(journal_url)) as events:
        events.check_epoch()
        assert events.commit_group([commit(GAMES[0], 6)]) == [(16,)]
        assert [epoch.number for epoch in events.epochs()] == [1, 2, 3]  # those that were there, and no other


def test_the_epoch_is_the_same_and_lies_where_the_copy_lies(journal_url: str, tmp_path: Path):
    source = filled_file(tmp_path / "source.db")
    with closing(open_events(source)) as events:
        before = events.epoch.id
    transferred(source, journal_url)
    with closing(open_events(journal_url)) as events, closing(open_end(journal_url)) as end:
        events.check_epoch()
        assert (events.epoch.id, events.epoch.place) == (before, end.place)


def test_one_other_byte_in_a_stream_or_a_register_is_found_and_named(journal_url: str, tmp_path: Path):
    source = filled_file(tmp_path / "source.db")
    with ends(source, journal_url) as (there, here):
        copy(there, here, silent)
        here.run("UPDATE people SET name = 'another' WHERE name IS NOT NULL")
        here.run("DELETE FROM looks WHERE tournament IS NULL")
        with pytest.raises(ContentMismatchError) as differs:
            compare(there, here, silent)
        assert differs.value.names == ["looks", "people"]


def test_an_event_that_is_another_is_named_by_its_stream(tmp_path: Path):
    source, target = filled_file(tmp_path / "source.db"), new_file(tmp_path / "target.db")
    with closing(open_events(target)) as events:
        events.commit_group([commit(GAMES[0], 1, state=b"other")])
    with ends(source, target) as (there, here):
        copy(there, here, silent)
        with pytest.raises(ContentMismatchError) as differs:
            compare(there, here, silent)
        assert differs.value.names == [str(GAMES[0])]


def test_nobody_writes_to_a_store_that_is_held(journal_url: str, monkeypatch: pytest.MonkeyPatch):
    prepare = append.prepare

    def prepare_shortly(connection: Connection) -> None:
        prepare(connection)
        shorten(connection, "lock_timeout")

    monkeypatch.setattr(append, "prepare", prepare_shortly)
    with closing(open_events(journal_url)) as events, closing(open_end(journal_url)) as end:
        with end.lock():
            with pytest.raises(StoreUnavailableError):
                events.commit_group([commit(GAMES[0], 1)], patience=PATIENCE)
            assert stored(events) == []
        assert events.commit_group([commit(GAMES[0], 1)]) == [(1,)]


def test_whoever_has_written_to_postgresql_and_is_still_there_disturbs(migrated: str):
    with closing(open_end(migrated)) as end:
        with closing(open_events(migrated)) as events:
            events.commit_group([commit(GAMES[0], 1)])
            with pytest.raises(TransferConflictError):
                end.require_exclusive()
        end.require_exclusive()


def test_whoever_comes_to_postgresql_meanwhile_is_seen_before_it_is_left(migrated: str):
    with closing(open_end(migrated)) as end, closing(open_projections(migrated)) as service:
        with pytest.raises(TransferConflictError), end.lock():
            leave_beside(end, service)
        assert end.epoch()[1] is None  # not left


def leave_beside(end: End, service: Store) -> None:
    assert service.lead()
    end.leave("elsewhere")


def test_who_is_writing_just_now_disturbs(journal_url: str):
    with closing(open_end(journal_url)) as other, closing(open_end(journal_url)) as end, other.transaction():
        other.run("UPDATE epochs SET place = 'here'")
        end.run("PRAGMA busy_timeout = 100" if journal_url.startswith("sqlite") else "SET lock_timeout = '0.1s'")
        with pytest.raises(TransferConflictError), end.lock():
            pass


def test_one_transfer_at_a_time_fills_a_database(migrated: str):
    with closing(open_end(migrated)) as one, closing(open_end(migrated)) as two:
        one.claim()
        with pytest.raises(TransferConflictError):
            two.claim()


def test_events_of_a_copy_are_as_append_only_as_others(journal_url: str, tmp_path: Path):
    transferred(filled_file(tmp_path / "source.db"), journal_url)
    with closing(open_events(journal_url)) as events, pytest.raises(Duplicate):
        events.change("DELETE FROM events")
