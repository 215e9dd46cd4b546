"""Events that were set back to an older copy, under projections that know newer ones."""

from contextlib import closing

import pytest
from msgspec.structs import replace

from deploy.stores.opening import open_projections
from projections.engine import checkpoints
from projections.engine.checkpoints import SET_BACK
from projections.engine.projector import Projector
from projections.engine.rebuilding import EventsMissing
from projections.engine.store import Store
from tests.databases import in_a_file
from tests.projections.helpers import BOTH, COUNTS, counted, projected, projector, rows, sequences
from tests.projections.histories import Log, a_whole_game

HEALTHY = [(None, None)]


def history(*games: int) -> Log:
    """Each game with its own sequences: the same games give the same ones."""
    log = Log()
    for game in games:
        log.append(*a_whole_game(game).events)
    return log


def told(made: Projector) -> list[tuple[str | None, str | None]]:
    return [(status.error, status.reason) for status in made.status()]


@pytest.mark.parametrize("since", [(), (8, 9), (8, 9, 10)])
def test_tables_of_events_that_are_gone_are_filled_anew_at_the_next_start(store: Store, since: tuple[int, ...]):
    """Whether the events have caught up since or not, in other games that have the same sequences."""
    projected(store, history(1, 2, 3), *BOTH, COUNTS)
    log = history(1, *since)
    made = projector(store, log, [*BOTH, COUNTS])
    assert counted(store) == []
    made.catch_up()
    found = rows(store, *BOTH, COUNTS)
    assert counted(store) == sequences(log)
    assert {row[0] for row in found["game_index"]} == {str(a_whole_game(game).id) for game in (1, *since)}
    assert [verdict.same for verdict in made.verify()] == [True] * 3
    assert told(made) == HEALTHY * 3
    assert store.query("SELECT sequence FROM kept_counts ORDER BY sequence") == [(gone,) for gone in sequences(history(1, 2, 3))]


def test_until_they_are_whole_nobody_reads_them_and_the_reason_is_told(database_url: str):
    with closing(open_projections(database_url)) as store, closing(open_projections(database_url)) as other:
        projected(store, history(1, 2, 3), COUNTS)
        log = history(1, 8)
        standby = Projector([COUNTS], other, log.read, log.head, log.wait)
        standby.refresh()
        assert told(standby) == [(SET_BACK, None)]
        made = projector(store, log, [COUNTS], batch=5)
        made.step()
        standby.refresh()
        for one in (made, standby):
            assert [status.percent for status in one.status()] == [100 * sequences(log)[4] // log.head()]
            assert told(one) == [(None, SET_BACK)]
            assert not one.wait_for(0, 0.0)
        made.catch_up()
        assert made.wait_for(log.head(), 0.0)
        assert told(made) == HEALTHY


@in_a_file
def test_one_who_only_looks_is_told_although_the_events_have_caught_up(store: Store):
    projected(store, history(1, 2), COUNTS)
    log = history(1, 8, 9)
    looking = Projector([COUNTS], store, log.read, log.head, log.wait)
    looking.refresh()
    assert told(looking) == [(SET_BACK, None)]
    assert counted(store) == sequences(history(1, 2))


def test_a_rebuilding_puts_them_right_too(store: Store):
    projected(store, history(1, 2), COUNTS)
    log = history(1, 8, 9)
    made = Projector([COUNTS], store, log.read, log.head, log.wait)
    with pytest.raises(EventsMissing):
        made.rebuild()
    made.rebuild(accept_missing=True)
    made.refresh()
    assert (told(made), counted(store)) == (HEALTHY, sequences(log))
    again = projector(store, log, [COUNTS])
    assert (told(again), counted(store)) == (HEALTHY, sequences(log))


@in_a_file
def test_an_older_copy_of_the_projections_only_catches_up(store: Store):
    projected(store, history(1), COUNTS)
    log = history(1, 2)
    made = projector(store, log, [COUNTS])
    assert counted(store) == sequences(history(1))
    made.catch_up()
    assert counted(store) == sequences(log)


EARLIER = """CREATE TABLE projections (name TEXT PRIMARY KEY, version INTEGER NOT NULL, tables TEXT NOT NULL,
    position BIGINT NOT NULL, whole_at BIGINT NOT NULL, error TEXT, failed_at BIGINT)"""


def as_an_older_version_left_it(store: Store) -> None:
    columns = "name, version, tables, position, whole_at, error, failed_at"
    places = store.query(f"SELECT {columns} FROM projections")
    with store.transaction(alone=True) as tx:
        tx.run("DROP TABLE projections")
        tx.run(EARLIER)
        tx.run_many(f"INSERT INTO projections ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", places)


def test_a_store_of_an_older_version_goes_on_and_is_known_again_from_then_on(store: Store):
    log = history(1)
    projected(store, log, COUNTS)
    with store.snapshot() as reads:
        newer = checkpoints.checkpoints(reads)["counts"]
    as_an_older_version_left_it(store)
    with store.snapshot() as reads:
        assert checkpoints.checkpoints(reads) == {"counts": replace(newer, fingerprint=None)}
    made = projector(store, log, [COUNTS])
    assert counted(store) == sequences(log)
    log.append(*a_whole_game(2).events)
    made.catch_up()
    assert counted(store) == sequences(log)
    assert projector(store, log, [COUNTS]).status()[0].position == log.head()
    assert projector(store, history(1, 8), [COUNTS]).status()[0].position == 0


@in_a_file
def test_of_an_older_version_events_that_are_missing_are_found(store: Store):
    projected(store, history(1, 2), COUNTS)
    as_an_older_version_left_it(store)
    projected(store, history(1), COUNTS)
    assert counted(store) == sequences(history(1))
