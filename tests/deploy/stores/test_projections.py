"""Projection store: readers beside a writer, several writers, lost connections."""

import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from deploy.stores.opening import open_projections
from deploy.stores.postgres.connections import Connection
from deploy.stores.postgres.projections import PostgresProjections
from domain.errors import Unavailable
from projections.engine.store import Busy, Store
from tests.deploy.serving import until

TABLE = "CREATE TABLE notes (number BIGINT, words TEXT)"


def write(store: Store, *numbers: int) -> None:
    with store.transaction() as tx:
        tx.run_many("INSERT INTO notes (number, words) VALUES (?, ?)", [(number, f"{number}%?") for number in numbers])


@pytest.fixture
def notes(store: Store) -> Store:
    with store.transaction(alone=True) as tx:
        tx.run(TABLE)
    return store


def numbers(store: Store) -> list[int]:
    return [number for (number,) in store.query("SELECT number FROM notes ORDER BY number")]


def test_signs_of_the_two_dialects_are_only_text_in_values(notes: Store):
    write(notes, 1)
    assert notes.query("SELECT words, number % 2 FROM notes WHERE words = ?", ("1%?",)) == [("1%?", 1)]


def test_readers_do_not_wait_for_a_writer(notes: Store):
    write(notes, 1)
    with notes.transaction() as tx:
        tx.run("UPDATE notes SET number = 2")
        tx.run("DELETE FROM notes WHERE number = 3")
        assert numbers(notes) == [1]
        assert tx.query("SELECT number FROM notes") == [(2,)]
    assert numbers(notes) == [2]


def test_a_transaction_that_fails_leaves_nothing(notes: Store):
    def fail() -> None:
        with notes.transaction() as tx:
            tx.run("INSERT INTO notes VALUES (1, 'a')")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert numbers(notes) == []


def test_many_threads_read_and_write_at_once(notes: Store):
    def work(first: int) -> None:
        for number in range(first, first + 20):
            write(notes, number)
            assert number in numbers(notes)

    threads = [threading.Thread(target=work, args=(100 * number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(numbers(notes)) == 8 * 20


def test_a_second_writer_on_a_file_is_told_that_it_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deploy.stores.sqlite.projections._WRITER_WAITS", 0.01)
    store = open_projections(f"sqlite:///{tmp_path / 'p.db'}")
    with store.transaction(), pytest.raises(Busy), store.transaction():
        pass
    store.close()


def test_rows_that_another_writer_holds_are_left_out(postgres_url: str):
    store = open_projections(postgres_url)
    with store.transaction(alone=True) as tx:
        tx.run(TABLE)
    write(store, 1, 2)
    with store.transaction() as one, store.transaction() as other:
        assert one.lock_rows("SELECT number FROM notes WHERE number = ?", (1,)) == [(1,)]
        assert other.lock_rows("SELECT number FROM notes") == [(2,)]
    store.close()


def test_processes_may_open_a_new_file_at_the_same_time(tmp_path: Path):
    command = [sys.executable, "-P", "-m", "tests.deploy.stores.programs", "open", f"sqlite:///{tmp_path / 'p.db'}"]
    processes = [subprocess.Popen(command) for _ in range(6)]
    assert [process.wait() for process in processes] == [0] * 6


def cut_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_reads_go_on_after_connections_were_cut(postgres_url: str):
    store = open_projections(postgres_url)
    assert store.query("SELECT 1") == [(1,)]
    cut_connections(postgres_url)
    assert store.query("SELECT 1") == [(1,)]
    store.close()


class CutProjections(PostgresProjections):
    """Their first three connections are cut as soon as the pool has opened them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._left = 3
        super().__init__(url)

    def _configure(self, connection: Connection) -> None:
        super()._configure(connection)
        if self._left:
            self._left -= 1
            with psycopg.connect(self._url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 60000)", [connection.info.backend_pid])


def test_reads_go_on_where_all_connections_that_a_pool_opens_at_once_are_cut(postgres_url: str):
    store = CutProjections(postgres_url)
    assert store.query("SELECT 1") == [(1,)]
    store.close()


def asked(store: Store) -> str | None:
    """Return the present result; ``None`` while one of its connections, of which it may have several, only now notices that it was cut."""
    try:
        return "leads" if store.lead() else "follows"
    except Unavailable:
        return None


def test_a_leader_whose_connection_was_cut_leads_on_as_long_as_its_lease_lasts(postgres_url: str):
    store, other = open_projections(postgres_url), open_projections(postgres_url)
    assert [store.lead(), store.lead(), other.lead()] == [True, True, False]
    cut_connections(postgres_url)
    with pytest.raises(Unavailable):
        other.lead()
    assert [until(lambda: asked(store)), until(lambda: asked(other))] == ["leads", "follows"]
    store.close()
    other.close()


def test_a_leader_that_ends_leaves_its_place_at_once(postgres_url: str):
    store, other = open_projections(postgres_url), open_projections(postgres_url)
    assert [store.lead(), other.lead()] == [True, False]
    store.close()
    assert other.lead()
    other.close()


def test_a_write_on_a_cut_connection_is_unavailable(postgres_url: str):
    store = open_projections(postgres_url)
    store.query("SELECT 1")
    cut_connections(postgres_url)
    with pytest.raises(Unavailable), store.transaction() as tx:
        tx.run("SELECT 1")
    store.close()
