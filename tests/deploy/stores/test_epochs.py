"""Recognition of a store, or the beginning of an epoch, the same for both databases; each can be set back in its own ways."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from deploy.stores.opening import OpenedEvents, Pooled, open_events
from domain.journal.commits import OutcomeUnknownError
from tests.deploy.serving import until
from tests.deploy.stores.stores import commit, stored
from tests.postgres import Server, fresh_database

GAME = uuid4()


@contextmanager
def reopened(url: str) -> Iterator[OpenedEvents]:
    with closing(open_events(url)) as events:
        yield events


def ids(events: OpenedEvents) -> list[tuple[int, int | None]]:
    """Number and last common sequence of all epochs."""
    return [(epoch.number, epoch.common) for epoch in events.epochs()]


@pytest.fixture
def copied(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Callable[[], str]:
    """Lays a copy elsewhere, while nobody has the store open, and answers its URL."""

    def copy() -> str:
        if database_url.startswith("sqlite"):
            shutil.copy(database_url.removeprefix("sqlite:///"), tmp_path / "copy.db")
            return f"sqlite:///{tmp_path / 'copy.db'}"
        server: Server = request.getfixturevalue("postgres_server")
        return fresh_database(server, database_url.rsplit("/", 1)[1])

    return copy


def test_a_store_goes_on_in_its_first_epoch_whoever_opens_it(journal_url: str):
    with reopened(journal_url) as events:
        events.check_epoch()
        events.commit_group([commit(GAME, 1)])
        first = events.epoch
    with reopened(journal_url) as again:
        again.check_epoch()
        assert (again.epoch.id, ids(again)) == (first.id, [(1, None)])


def test_a_copy_that_lies_elsewhere_begins_an_epoch_which_shares_all_that_it_holds(journal_url: str, copied: Callable[[], str]):
    with reopened(journal_url) as events:
        events.check_epoch()
        events.commit_group([commit(GAME, 1, 2)])
        first = events.epoch
    with reopened(copied()) as copy:
        assert copy.epoch.id == first.id  # who only reads begins nothing
        copy.check_epoch()
        assert copy.epoch.id != first.id
        assert (ids(copy), len(stored(copy))) == ([(1, None), (2, 2)], 2)
        copy.check_epoch()
        assert ids(copy) == [(1, None), (2, 2)]
    with reopened(journal_url) as events:
        events.check_epoch()
        assert events.epoch.id == first.id


def test_an_epoch_that_another_process_began_goes_on_here(journal_url: str):
    with reopened(journal_url) as one, reopened(journal_url) as other:
        assert one.epoch.id == other.epoch.id
        one.commit_group([commit(GAME, 1)])
        one.begin_epoch(1)
        assert other.head() == 1
        assert (other.epoch.id, ids(other)) == (one.epoch.id, [(1, None), (2, 1)])


# A server that answers again, without the last events


def by_hand(url: str, sql: str, *values: Any) -> None:
    """As somebody would who sets the database back, with every connection gone."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # no trigger stands in the way
        connection.execute(sql.encode(), values)
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.fixture
def running(migrated: str) -> Iterator[OpenedEvents]:
    """A process that recorded three events, one after the other."""
    with closing(open_events(migrated)) as events:
        events.check_epoch()
        for position in (1, 2, 3):
            events.commit_group([commit(GAME, position)])
        assert isinstance(events, Pooled)
        until(lambda: events.pool().open == events.pool().idle)  # none is still on its way there, and would find out by itself
        yield events


def test_who_knows_events_that_are_gone_begins_an_epoch_when_he_is_connected_again(running: OpenedEvents, postgres_url: str):
    first = running.epoch
    by_hand(postgres_url, "DELETE FROM events WHERE sequence > 2")
    assert running.head() == 2
    assert running.epoch.id != first.id
    assert (running.epoch.number, running.epoch.common) == (2, 2)
    assert not running.wait_for(2, 0.0)


def test_other_events_under_the_same_sequences_are_found_too(running: OpenedEvents, postgres_url: str):
    by_hand(postgres_url, "UPDATE events SET state = '{}  ' WHERE sequence > 1")
    assert running.head() == 3
    assert (running.epoch.number, running.epoch.common) == (2, 1)


def test_who_knows_none_that_is_there_does_not_know_up_to_where_all_is_the_same(running: OpenedEvents, postgres_url: str):
    by_hand(postgres_url, "UPDATE events SET topic = 'move.played/0'")
    running.head()
    assert (running.epoch.number, running.epoch.common) == (2, None)


def test_who_writes_first_after_that_finds_it_too(running: OpenedEvents, postgres_url: str):
    by_hand(postgres_url, "DELETE FROM events WHERE sequence > 2")
    with pytest.raises(OutcomeUnknownError):  # the connection broke when it was sent, and it was decided on what is gone
        running.commit_group([commit(GAME, 4)])
    assert (running.epoch.number, running.epoch.common) == (2, 2)
    assert [position for _, _, position in stored(running)] == [1, 2]
    running.commit_group([commit(GAME, 3)])


def test_a_connection_that_was_only_cut_begins_nothing(running: OpenedEvents, postgres_url: str):
    by_hand(postgres_url, "SELECT 1")
    assert running.head() == 3
    running.commit_group([commit(GAME, 4)])
    assert ids(running) == [(1, None)]


def test_a_store_of_another_line_is_none_that_goes_on(running: OpenedEvents, postgres_url: str):
    """Set back by so much that it does not know the epoch of this process."""
    running.begin_epoch(3)
    by_hand(postgres_url, "DELETE FROM epochs WHERE number = 2")
    running.head()
    assert ids(running) == [(1, None), (2, None)]
