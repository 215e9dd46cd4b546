"""The projector: batches, positions, failures, two at once, and a kill in the middle."""

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from deploy.stores.opening import open_projections
from projections.engine.projector import Projector
from projections.engine.status import ProjectionStatus
from projections.engine.store import Store
from tests.databases import in_a_file
from tests.deploy.stores.test_projections import cut_connections
from tests.projections.helpers import BOTH, COUNTS, Clock, Touchy, counted, end_lease, projected, projector, rows, sequences
from tests.projections.histories import Log, a_whole_game, interleaved

SLOWLY = 30.0


def some_games(count: int = 5) -> Log:
    return Log(interleaved([a_whole_game(number) for number in range(1, count + 1)]))


@contextmanager
def running(projector: Projector) -> Iterator[Projector]:
    projector.start()
    yield projector
    projector.stop()


def test_how_events_are_cut_into_batches_does_not_show_in_the_rows(store: Store):
    log = some_games()
    made = projected(store, log)
    at_once = rows(store)
    assert len(at_once["game_index"]) == len(at_once["score_sheets"]) == 5
    small = projector(store, log, batch=7)
    for projection in BOTH:
        with store.transaction() as tx:
            for table in projection.tables:
                tx.run(f"DELETE FROM {table}")
            tx.run("UPDATE projections SET position = 0 WHERE name = ?", (projection.name,))
    small = projector(store, log, batch=7)
    small.catch_up()
    assert rows(store) == at_once
    assert [status.position for status in small.status()] == [status.position for status in made.status()]


def test_a_new_projector_goes_on_where_the_last_one_stopped(store: Store):
    log = some_games()
    first = projector(store, log, [COUNTS], batch=4)
    first.step()
    first.step()
    assert counted(store) == sequences(log)[:8]
    projected(store, log, COUNTS, batch=4)
    assert counted(store) == sequences(log)


@in_a_file
def test_a_stopped_projector_may_be_started_again(store: Store):
    log = some_games(1)
    made = projector(store, log, [COUNTS])
    for number in (2, 3):
        with running(made):
            assert made.wait_for(log.append(*a_whole_game(number).events), SLOWLY)
    assert counted(store) == sequences(log)


@in_a_file
def test_the_status_says_how_far_each_projection_is(store: Store):
    log = some_games(1)
    made = projector(store, log, batch=2)
    made.step()
    position, head = log.events[1][0], log.head()
    assert [replace(status, advanced_at=None) for status in made.status()] == [
        ProjectionStatus("game_index", position, head, head - position, None, None, None, 26),
        ProjectionStatus("score_sheets", position, head, head - position, None, None, None, 26),
    ]
    assert all(status.advanced_at for status in made.status())


def test_a_failing_projection_stops_before_the_event_and_the_others_go_on(store: Store):
    log = some_games(1)
    touchy = Touchy(sequences(log)[5])
    made = projected(store, log, *BOTH, touchy.projection)
    index, sheets, failed = made.status()
    assert (index.lag, sheets.lag) == (0, 0)
    assert (failed.error, failed.failed_at) == ("ValueError: no, not this one", sequences(log)[5])
    assert failed.position == sequences(log)[4]
    assert counted(store) == sequences(log)[:5]


@in_a_file
def test_a_failing_projection_is_tried_again_ever_more_rarely_and_goes_on_when_healed(store: Store):
    log, clock = some_games(1), Clock()
    touchy = Touchy(sequences(log)[0])
    made = projected(store, log, touchy.projection, clock=clock)
    waits = []
    for _ in range(10):
        again = made._runs["touchy"].again
        assert not made.step()
        waits.append(again - clock.now)
        clock.now = again
        made.step()
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    touchy.heal()
    clock.now += 60.0
    made.catch_up()
    assert counted(store) == sequences(log)
    assert made.status()[0].error is None


def test_two_projectors_at_once_take_each_event_once(database_url: str):
    log = some_games(10)
    stores = [open_projections(database_url), open_projections(database_url)]
    made = [projector(store, log, [COUNTS], batch=50) for store in stores]
    with running(made[0]), running(made[1]):
        assert all(one.wait_for(log.head(), SLOWLY) for one in made)
    assert counted(stores[0]) == sequences(log)
    for store in stores:
        store.close()


def test_a_standby_takes_over_when_the_first_one_is_gone(database_url: str):
    log = some_games()
    first, second = open_projections(database_url), open_projections(database_url)
    projector(first, log, [COUNTS], batch=5).step()
    standby = projector(second, log, [COUNTS], batch=5)
    with running(standby):
        first.close()
        assert standby.wait_for(log.head(), SLOWLY)
    assert counted(second) == sequences(log)
    second.close()


def test_while_the_first_one_lives_the_second_only_follows(postgres_url: str):
    log = some_games()
    first, second = open_projections(postgres_url), open_projections(postgres_url)
    leader = projector(first, log, [COUNTS], batch=5)
    leader.step()
    standby = projector(second, log, [COUNTS], batch=5)
    assert not standby.step()
    leader.step()
    assert standby.step()
    assert counted(second) == sequences(log)[:10]
    first.close()
    second.close()


A_PROJECTOR_THAT_HANGS = """
import sys
from projections.engine.store import Projection
from deploy.stores.opening import open_projections
from tests.projections.helpers import COUNTS, projector
from tests.projections.engine.test_projector import some_games

def apply(tx, batch):
    COUNTS.apply(tx, batch)
    if batch[0][0] > 20:
        print("in the middle", flush=True)
        sys.stdin.read()

projector(open_projections(sys.argv[1]), some_games(), [Projection("counts", 1, COUNTS.tables, apply)], batch=6).catch_up()
"""


def test_a_kill_in_the_middle_of_a_batch_loses_and_doubles_nothing(database_url: str):
    command = [sys.executable, "-P", "-c", A_PROJECTOR_THAT_HANGS, database_url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in the middle\n"
        process.send_signal(signal.SIGKILL)
    end_lease(database_url)
    log, store = some_games(), open_projections(database_url)
    made = projector(store, log, [COUNTS])
    assert 0 < len(counted(store)) < len(log.events)
    with running(made):
        assert made.wait_for(log.head(), SLOWLY)
    assert counted(store) == sequences(log)
    store.close()


def test_another_version_of_a_projection_starts_from_the_first_event(store: Store):
    log = some_games(1)
    projected(store, log, COUNTS)
    tables = {"counts": ("CREATE TABLE counts (sequence BIGINT NOT NULL, extra TEXT)",)}
    newer = replace(COUNTS, version=2, tables=tables)
    made = projector(store, log, [newer])
    assert counted(store) == []
    made.catch_up()
    assert counted(store) == sequences(log)
    assert store.query("SELECT extra FROM counts LIMIT 1") == [(None,)]


@in_a_file
def test_a_reader_waits_for_the_event_that_it_wants_to_see(store: Store):
    log = some_games(1)
    made = projector(store, log)
    assert not made.wait_for(log.head(), 0.0)
    readers = [threading.Thread(target=made.wait_for, args=(log.head(), SLOWLY)) for _ in range(3)]
    for reader in readers:
        reader.start()
    with running(made):
        for reader in readers:
            reader.join()
    assert made.wait_for(log.head(), 0.0)
    assert not made.wait_for(log.head() + 1, 0.0)


@in_a_file
def test_a_coroutine_waits_without_a_thread(store: Store):
    log = some_games(1)
    made = projector(store, log)

    async def wait() -> list[bool]:
        waits = [
            made.wait_for_async(log.head(), SLOWLY),
            made.wait_for_async(log.head(), SLOWLY, "game_index"),
            made.wait_for_async(log.head() + 1, 0.01),
        ]
        answers = asyncio.gather(*waits)
        with running(made):
            return await answers

    assert asyncio.run(wait()) == [True, True, False]


@in_a_file
def test_who_waits_for_one_projection_does_not_wait_for_a_failing_one(store: Store):
    log = some_games(1)
    made = projected(store, log, *BOTH, Touchy(sequences(log)[0]).projection)
    assert made.wait_for(log.head(), 0.0, "score_sheets")
    assert not made.wait_for(log.head(), 0.0)


@in_a_file
def test_a_store_of_events_that_is_away_for_a_while_stops_nothing_for_good(store: Store):
    log, away, failed = some_games(1), threading.Event(), threading.Event()
    away.set()

    def read(after: int, limit: int):
        if away.is_set():
            failed.set()
            raise ConnectionError("the store is away")
        return log.read(after, limit)

    with running(Projector(BOTH, store, read, log.head, log.wait)) as made:
        failed.wait(SLOWLY)
        away.clear()
        assert made.wait_for(log.head(), SLOWLY)


def test_the_projector_goes_on_after_its_connections_were_cut(postgres_url: str):
    log, store = some_games(), open_projections(postgres_url)
    with running(projector(store, log, [COUNTS], batch=3)) as made:
        assert made.wait_for(log.head(), SLOWLY)
        cut_connections(postgres_url)
        log.append(*a_whole_game(9).events)
        assert made.wait_for(log.head(), SLOWLY)
    assert counted(store) == sequences(log)
    store.close()
