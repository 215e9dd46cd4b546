"""Rebuilding beside the running projections, comparing what tables hold, and tables of another version."""

import logging
import secrets
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from deploy.compose import PROJECTIONS
from deploy.stores.opening import open_projections
from deploy.stores.sqlite.projections import SqliteProjections
from domain.errors import Unavailable
from domain.events import Recorded
from projections.engine.projector import Projector
from projections.engine.rebuilding import Comparison, RebuildFailedError, TableDifference
from projections.engine.store import Batch, Projection, Rebuilding, Store, Transaction
from tests.databases import in_a_file
from tests.projections.helpers import BOTH, COUNTS, Touchy, counted, projected, projector, rows, sequences
from tests.projections.histories import Log, a_whole_game, interleaved
from tests.projections.random_play import random_games, shuffled_together

SLOWLY = 30.0


def some_games(count: int = 5) -> Log:
    return Log(interleaved([a_whole_game(number) for number in range(1, count + 1)]))


class Interrupted:
    """Reads a log in small batches, and does something else in between, once."""

    def __init__(self, log: Log, then) -> None:
        self.log = log
        self.then = then
        self.asked: list[int] = []

    def read(self, after: int, limit: int) -> Sequence[tuple[int, Recorded]]:
        self.asked.append(after)
        if len(self.asked) == 3:
            self.then()
        return self.log.read(after, 5)

    def projector(self, store: Store, *projections: Projection) -> Projector:
        return Projector(projections, store, self.read, self.log.head, self.log.wait)


def test_rebuilding_puts_wrong_rows_right(store: Store):
    log = some_games()
    made = projected(store, log)
    before = rows(store)
    with store.transaction() as tx:
        tx.run("UPDATE game_index SET phase = 'wrong'")
        tx.run("DELETE FROM score_sheets")
    assert made.rebuild() == log.head()
    assert rows(store) == before


@in_a_file
def test_only_those_that_are_named_are_rebuilt(store: Store):
    made = projected(store, some_games())
    with store.transaction() as tx:
        tx.run("DELETE FROM game_index")
        tx.run("DELETE FROM score_sheets")
    made.rebuild("score_sheets")
    assert (len(rows(store)["score_sheets"]), rows(store)["game_index"]) == (5, [])


def test_a_rebuilt_table_has_its_indexes_and_keys(store: Store):
    made = projected(store, some_games(1))
    before = indexes(store)
    made.rebuild("game_index")
    assert indexes(store) == before
    assert not made.step()


def indexes(store: Store) -> set[str]:
    """Of the tables that are read, and not of those that were laid aside."""
    lite = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name NOT LIKE 'kept%'"
    served = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename NOT LIKE 'kept%'"
    found = {name for (name,) in store.query(lite if isinstance(store, SqliteProjections) else served)}
    assert "game_index_ruleset" in found
    return found


@in_a_file
def test_an_event_is_read_once_for_all_projections(store: Store):
    log = some_games()
    projected(store, log)
    reading = Interrupted(log, lambda: None)
    reading.projector(store, *BOTH).rebuild()
    *asked, last = reading.asked
    assert asked == [*sorted({*asked[:-1]}), log.head()]
    assert last == log.head() - 1  # the newest one again, by which the tables are known to be of these events


def test_readers_see_the_old_rows_meanwhile_and_the_running_projector_goes_on(store: Store):
    log = some_games(2)
    running = projected(store, log, COUNTS)

    def more() -> None:
        assert counted(store) == sequences(log)
        log.append(*a_whole_game(3).events)
        running.catch_up()
        assert counted(store) == sequences(log)
        log.append(*a_whole_game(4).events)

    assert Interrupted(log, more).projector(store, COUNTS).rebuild() == log.head()
    assert counted(store) == sequences(log)
    log.append(*a_whole_game(5).events)
    running.catch_up()
    assert counted(store) == sequences(log)


def test_events_that_arrive_while_a_projection_is_rebuilt_are_taken_once(database_url: str):
    log, more = some_games(), [a_whole_game(number) for number in range(6, 12)]
    store, other = open_projections(database_url), open_projections(database_url)
    running, beside = projector(store, log, [COUNTS], batch=3), projector(other, log, [COUNTS])
    running.start()
    for history in more:
        log.append(*history.events)
        beside.rebuild("counts")
    assert running.wait_for(log.head(), SLOWLY)
    running.stop()
    assert counted(store) == sequences(log)
    store.close()
    other.close()


def test_what_fails_leaves_the_old_rows_and_names_the_event(store: Store):
    log = some_games(1)
    touchy = Touchy(0)
    made = projected(store, log, touchy.projection)
    touchy.sequence = sequences(log)[7]
    with pytest.raises(RebuildFailedError, match=f"touchy fails at sequence {touchy.sequence}: ValueError: no, not this one"):
        made.rebuild()
    assert counted(store) == sequences(log)
    assert made.status()[0].lag == 0
    touchy.heal()
    assert made.rebuild() == log.head()


def test_what_fails_at_the_last_moment_leaves_the_old_rows_too(store: Store):
    log = some_games(1)
    touchy = Touchy(0)
    made = projected(store, log, touchy.projection)
    before = sequences(log)
    reading = Interrupted(log, lambda: None)

    def read(after: int, limit: int) -> Sequence[tuple[int, Recorded]]:
        found = log.read(after, limit)
        if not found and touchy.sequence == 0:
            touchy.sequence = log.append(*a_whole_game(2).events[:1])
        return found

    reading.read = read  # pyrefly: ignore[method-assign]
    with pytest.raises(RebuildFailedError, match=f"touchy fails at sequence {log.head() + 3}"):
        reading.projector(store, touchy.projection).rebuild()
    assert counted(store) == before
    touchy.heal()
    made.catch_up()
    assert counted(store) == sequences(log)


@in_a_file
def test_a_projection_that_reads_tables_of_another_cannot_be_rebuilt(store: Store):
    def peek(tx: Transaction, batch: Batch) -> None:
        tx.query("SELECT sequence FROM counts")

    made = projected(store, some_games(1), COUNTS, Projection("peeking", 1, {}, peek))
    with pytest.raises(RebuildFailedError, match="peeking fails at sequence 3"):
        made.rebuild("peeking")


def test_who_comes_second_is_told_that_somebody_is_rebuilding(database_url: str):
    log = some_games(1)
    store, other = open_projections(database_url), open_projections(database_url)
    second = projected(other, log, COUNTS)
    told: list[str] = []

    def also() -> None:
        with pytest.raises(Rebuilding) as refused:
            second.rebuild()
        told.append(str(refused.value))

    Interrupted(log, also).projector(store, COUNTS).rebuild()
    assert told == ["somebody else is rebuilding projections of this database; wait until that is done"]
    assert second.rebuild() == log.head()
    store.close()
    other.close()


A_REBUILDING_THAT_HANGS = """
import sys
from projections.engine.projector import Projector
from deploy.stores.opening import open_projections
from tests.projections.helpers import COUNTS
from tests.projections.engine.test_rebuilding import some_games

log = some_games()

def read(after, limit):
    if after > 20:
        print("in the middle", flush=True)
        sys.stdin.read()
    return log.read(after, 5)

Projector([COUNTS], open_projections(sys.argv[1]), read, log.head, log.wait).rebuild()
"""


def test_a_kill_in_the_middle_leaves_nothing_that_hurts(database_url: str):
    log, store = some_games(), open_projections(database_url)
    made = projected(store, log, COUNTS)
    with subprocess.Popen([sys.executable, "-P", "-c", A_REBUILDING_THAT_HANGS, database_url], stdin=-1, stdout=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in the middle\n"
        with pytest.raises(Rebuilding):
            made.rebuild()
        process.send_signal(signal.SIGKILL)
    store.query("SELECT 1")
    assert counted(store) == sequences(log)
    assert patiently(made) == log.head()
    assert counted(store) == sequences(log)
    store.close()


def patiently(made: Projector) -> int:
    """PostgreSQL takes a moment to notice that a client is gone."""
    while True:
        try:
            return made.rebuild()
        except Rebuilding:
            continue


def test_a_reader_that_takes_its_time_keeps_nobody_else_waiting(postgres_url: str, monkeypatch: pytest.MonkeyPatch):
    log, store = some_games(1), open_projections(postgres_url)
    made = projected(store, log, COUNTS)
    tries: list[list[int]] = []
    with psycopg.connect(postgres_url) as slow:
        slow.execute("SELECT * FROM counts")

        def pause(_: float) -> None:
            tries.append(counted(store))
            slow.commit()

        monkeypatch.setattr("projections.engine.rebuilding.sleep", pause)
        made.rebuild()
    assert tries == [sequences(log)]
    assert counted(store) == sequences(log)
    store.close()


def test_an_account_that_may_not_create_a_schema_is_told_what_it_lacks(postgres_url: str):
    name = f"modest_{secrets.token_hex(4)}"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'modest'".encode())
        owner.execute(f"GRANT ALL ON SCHEMA public TO {name}".encode())
        store = open_projections(make_conninfo(postgres_url, user=name, password="modest"))
        made = projected(store, some_games(1), COUNTS)
        with pytest.raises(Unavailable, match="GRANT CREATE ON DATABASE"):
            made.rebuild()
        store.close()
        owner.execute(f"DROP OWNED BY {name}".encode())
        owner.execute(f"DROP ROLE {name}".encode())


def test_a_writer_that_takes_its_time_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deploy.stores.sqlite.projections._WRITER_WAITS", 0.01)
    log, store = some_games(1), open_projections(f"sqlite:///{tmp_path / 'p.db'}")
    made = projected(store, log, COUNTS)
    slow = store.transaction()

    def pause(_: float) -> None:
        slow.__exit__(None, None, None)

    monkeypatch.setattr("projections.engine.rebuilding.sleep", pause)
    Interrupted(log, slow.__enter__).projector(store, COUNTS).rebuild()
    assert not made.step()
    assert counted(store) == sequences(log)
    store.close()


# What tables hold


def test_the_same_rows_have_the_same_content_in_any_order(store: Store):
    log = some_games()
    made = projected(store, log, COUNTS)
    content = made.contents()
    with store.transaction() as tx:
        tx.run("DELETE FROM counts")
        tx.run_many("INSERT INTO counts (sequence) VALUES (?)", [(sequence,) for sequence in reversed(sequences(log))])
    assert made.contents() == content


def test_a_row_that_is_changed_doubled_or_gone_is_found(store: Store):
    log = some_games(1)
    made = projected(store, log, COUNTS)
    sound = made.contents()["counts"][1]
    changes = {
        "INSERT INTO counts VALUES (3)": TableDifference("counts", 1, 0, "sequence", ("3",)),
        "DELETE FROM counts WHERE sequence = 4": TableDifference("counts", 0, 1, "sequence", ("4",)),
        "UPDATE counts SET sequence = 99 WHERE sequence = 5": TableDifference("counts", 1, 1, "sequence", ("99", "5")),
    }
    for change, found in changes.items():
        with store.transaction() as tx:
            tx.run(change)
        (verdict,) = made.verify()
        assert verdict == Comparison("counts", log.head(), made.contents()["counts"][1], sound, (found,))
        assert not verdict.same
        made.rebuild()
        assert made.verify() == (Comparison("counts", log.head(), sound, sound),)


@in_a_file
def test_tables_are_compared_at_the_position_that_they_have_reached(store: Store):
    log = some_games()
    made = projector(store, log, batch=7)
    made.step()
    assert [(verdict.position, verdict.same) for verdict in made.verify()] == [(sequences(log)[6], True)] * 2


def test_looking_creates_nothing(store: Store):
    log = some_games(1)
    made = Projector(BOTH, store, log.read, log.head, log.wait)
    made.refresh()
    assert [(status.position, status.lag, status.percent, status.error) for status in made.status()] == [(0, log.head(), 0, None)] * 2
    assert (made.contents(), made.verify()) == ({}, ())
    with store.snapshot() as reads:
        assert not any(reads.has(table) for table in ("projections", "game_index", "score_sheets"))


def test_however_events_came_a_rebuilding_gives_identical_tables_in_either_database(tmp_path: Path, postgres_url: str):
    chance = Random(1)
    log = Log(shuffled_together(random_games(chance, each=1), chance))
    found = []
    for url in (f"sqlite:///{tmp_path / 'p.db'}", postgres_url):
        store = open_projections(url)
        made = Projector(PROJECTIONS, store, lambda after, _: log.read(after, chance.randrange(1, 200)), log.head, log.wait)
        made.prepare()
        made.catch_up()
        assert [status.error for status in made.status()] == [None] * len(PROJECTIONS)
        assert [verdict.name for verdict in made.verify() if not verdict.same] == []
        before = made.contents()
        made.rebuild()
        assert made.contents() == before
        found.append(before)
        store.close()
    assert found[0] == found[1]


# Tables of another version


NEWER = replace(COUNTS, version=2, tables={"counts": ("CREATE TABLE counts (sequence BIGINT NOT NULL, extra TEXT)",)})


@in_a_file
def test_tables_of_another_version_are_not_read_before_they_are_whole(store: Store):
    log = some_games(1)
    projected(store, log, COUNTS)
    made = projector(store, log, [NEWER], batch=5)
    made.step()
    assert made.status()[0].percent == 100 * sequences(log)[4] // log.head()
    assert not made.wait_for(0, 0.0)
    log.append(*a_whole_game(2).events)
    made.step()
    made.step()
    assert made.status()[0].percent == 100
    assert made.wait_for(0, 0.0)
    assert made.status()[0].lag > 0


def test_a_newer_version_can_be_rebuilt_before_its_first_start(database_url: str):
    log = some_games(1)
    store, other = open_projections(database_url), open_projections(database_url)
    older = projected(store, log, COUNTS)
    Projector([NEWER], other, log.read, log.head, log.wait).rebuild()
    assert store.query("SELECT sequence, extra FROM counts") == [(sequence, None) for sequence in sequences(log)]
    log.append(*a_whole_game(2).events)
    older.catch_up()
    assert not older.wait_for(0, 0.0)
    assert [(status.error, status.percent) for status in older.status()] == [("the tables are of version 2, this is version 1", 0)]
    store.close()
    newer = projected(other, log, NEWER)
    assert (newer.status()[0].percent, counted(other)) == (100, sequences(log))
    other.close()


# Failures


def test_a_failure_is_seen_by_every_process_and_over_when_it_is_repaired(database_url: str):
    log = some_games(1)
    store, other = open_projections(database_url), open_projections(database_url)
    touchy = Touchy(sequences(log)[5])
    projected(store, log, *BOTH, touchy.projection)
    looking = Projector([*BOTH, touchy.projection], other, log.read, log.head, log.wait)
    looking.refresh()
    assert [(status.error, status.failed_at, status.lag) for status in looking.status()] == [
        (None, None, 0),
        (None, None, 0),
        ("ValueError: no, not this one", sequences(log)[5], log.head() - sequences(log)[4]),
    ]
    store.close()
    touchy.heal()
    repaired = projected(other, log, *BOTH, touchy.projection)
    assert [(status.error, status.failed_at, status.lag) for status in repaired.status()] == [(None, None, 0)] * 3
    assert counted(other) == sequences(log)
    other.close()


def test_sql_that_is_wrong_stops_only_the_projection_that_it_is_in(store: Store):
    def wrong(tx: Transaction, batch: Batch) -> None:
        tx.run("INSERT INTO nowhere VALUES (1)")

    log = some_games(1)
    made = projected(store, log, COUNTS, Projection("wrong", 1, {}, wrong))
    counts, failed = made.status()
    assert (counts.lag, failed.failed_at) == (0, sequences(log)[0])
    assert "nowhere" in (failed.error or "")


def test_an_error_of_any_signs_can_be_shown(store: Store, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL, "kiebitz.projections")  # pytest's workers cannot pass on a log with half a character

    def odd(tx: Transaction, batch: Batch) -> None:
        raise ValueError("\0\ud800" + "ä" * 1000)

    made = projected(store, some_games(1), Projection("odd", 1, {}, odd))
    error = made.status()[0].error
    assert error is not None
    assert (error[:20], len(error)) == ("ValueError: \\ud800ää", 500)
