"""Events that are gone from the journal, while the tables still know them: the tables are the only trace, and are not thrown away."""

from collections.abc import Callable

import pytest

from deploy.compose import PROJECTIONS
from projections.engine.checkpoints import Missing, MissingEvents
from projections.engine.projector import Projector
from projections.engine.rebuilding import EventsMissing
from projections.engine.store import Projection, Store
from projections.models.game_index import GAME_INDEX
from projections.models.score_sheets import SCORE_SHEETS
from tests.databases import in_a_file
from tests.projections.helpers import BOTH, COUNTS, counted, projected, rows, sequences
from tests.projections.histories import Log, a_whole_game, game_id

FIRST, SECOND, THIRD = (str(game_id(number)) for number in (1, 2, 3))
LENGTH = len(a_whole_game(1).events)


def log_without(gone: Callable[[int, int], bool]) -> Log:
    """Three games, without those events of which, by game and position, this is true."""
    log = Log()
    for number in (1, 2, 3):
        log.append(*a_whole_game(number).events)
    ids = {game_id(number): number for number in (1, 2, 3)}
    log.events = [one for one in log.events if not gone(ids[one[1].stream], one[1].position)]
    return log


WAYS = {
    "the end of a game": (lambda game, position: game == 2 and position > 5, (MissingEvents(SECOND, LENGTH, 5),)),
    "an event in the middle": (lambda game, position: game == 2 and position == 5, (MissingEvents(SECOND, LENGTH, 4),)),
    "an opening": (lambda game, position: game == 1 and position == 1, (MissingEvents(FIRST, LENGTH, 0),)),
    "whole games": (lambda game, _: game < 3, (MissingEvents(FIRST, LENGTH, 0), MissingEvents(SECOND, LENGTH, 0))),
}


def test_what_the_tables_know_and_the_journal_does_not_is_named(store: Store):
    projected(store, log_without(lambda *_: False))
    for way, (gone, lacks) in WAYS.items():
        looking = looking_at(store, log_without(gone))
        assert {verdict.name: verdict.missing for verdict in looking.verify()} == {one.name: Missing(lacks=lacks) for one in BOTH}, way


def test_a_rebuilding_that_would_lose_it_is_refused_and_changes_nothing(store: Store):
    projected(store, log_without(lambda *_: False))
    before = rows(store)
    for way, (gone, lacks) in WAYS.items():
        looking = looking_at(store, log_without(gone))
        with pytest.raises(EventsMissing, match="events are missing that are known to game_index, score_sheets") as refused:
            looking.rebuild()
        assert refused.value.missing == {one.name: Missing(lacks=lacks) for one in BOTH}, way
        assert (rows(store), looking.list_old_tables()) == (before, ()), way


@in_a_file
def test_the_end_of_the_journal_is_missed_by_all(store: Store):
    full = log_without(lambda *_: False)
    projected(store, full, GAME_INDEX, COUNTS)
    looking = looking_at(store, log_without(lambda game, _: game == 3), GAME_INDEX, COUNTS)
    index, counts = (verdict.missing for verdict in looking.verify())
    assert index == Missing(full.head(), set_back=True, lacks=(MissingEvents(THIRD, LENGTH, 0),))
    assert counts == Missing(full.head(), set_back=True)


def test_told_to_a_rebuilding_goes_on_and_the_old_tables_are_kept(store: Store):
    projected(store, log_without(lambda *_: False))
    before, log = rows(store), log_without(lambda game, _: game == 2)
    looking = looking_at(store, log)
    assert looking.rebuild(accept_missing=True) == log.head()
    assert {row[0] for row in rows(store)["game_index"]} == {FIRST, THIRD}
    assert kept(store) == before
    assert looking.list_old_tables() == tuple(f"kept_{table}" for table in before)
    assert [verdict.missing for verdict in looking.verify()] == [Missing()] * 2


def test_only_the_tables_of_the_last_rebuilding_are_kept(store: Store):
    log = log_without(lambda *_: False)
    made = projected(store, log, COUNTS)
    for spoiled in (1, 2):
        with store.transaction() as tx:
            tx.run("INSERT INTO counts VALUES (?)", (spoiled,))
        made.rebuild()
        assert store.query("SELECT sequence FROM kept_counts ORDER BY sequence") == [(spoiled,), *((one,) for one in sequences(log))]
        assert counted(store) == sequences(log)


@in_a_file
def test_whole_events_are_not_missed_while_more_are_recorded(store: Store):
    """What the running projector takes during the comparison is in both."""
    log = log_without(lambda game, _: game == 3)
    running = projected(store, log)
    more = a_whole_game(4).events

    def read(after: int, limit: int):
        found = log.read(after, 5)
        if more and after > 5:
            log.append(*more[:3])
            del more[:3]
            running.catch_up()
        return found

    verdicts = Projector(BOTH, store, read, log.head, log.wait).verify()
    assert (more, [(verdict.position, verdict.same, verdict.missing) for verdict in verdicts]) == ([], [(log.head(), True, Missing())] * 2)


@in_a_file
def test_a_damaged_id_in_a_table_is_a_difference_like_any_other(store: Store):
    log = log_without(lambda *_: False)
    made = projected(store, log, SCORE_SHEETS)
    with store.transaction() as tx:
        tx.run("UPDATE score_sheets SET game = 'no id' WHERE game = ?", (FIRST,))
    (verdict,) = made.verify()
    assert verdict.missing == Missing(lacks=(MissingEvents("no id", LENGTH, 0),))
    assert [(found.table, found.beyond, found.lacking, found.examples) for found in verdict.differences] == [
        ("score_sheets", 1, 1, ("no id", FIRST))
    ]


def test_every_projection_says_which_streams_it_knows():
    assert [projection.name for projection in PROJECTIONS if not projection.known] == []


def looking_at(store: Store, log: Log, *projections: Projection) -> Projector:
    return Projector(projections or BOTH, store, log.read, log.head, log.wait)


def kept(store: Store) -> dict[str, list]:
    tables = [table for projection in BOTH for table in projection.tables]
    return {table: sorted(store.query(f"SELECT * FROM kept_{table}"), key=repr) for table in tables}
