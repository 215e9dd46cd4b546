"""PostgreSQL errors in the store: lost connections, lost replies, unreachable servers."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from threading import Thread
from uuid import UUID, uuid4

import psycopg
import pytest
import uvloop

from deploy.stores.migrating import migrate
from deploy.stores.opening import open_events
from deploy.stores.postgres import connections
from deploy.stores.postgres.connections import PostgresDatabase
from deploy.stores.postgres.journal import PostgresEventStore
from domain.journal.commits import Commit, CommitOutcome, OutcomeUnknownError, StoreUnavailableError
from domain.journal.writer import GroupWriter
from tests.deploy.serving import until
from tests.deploy.stores.line import Cut, Line, line_to
from tests.deploy.stores.stores import commit, event, open_connected, stored, told
from tests.postgres import running_server

A, B = uuid4(), uuid4()

TERMINATE = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'kiebitz-%'"


@pytest.fixture
def cuttable(migrated: str) -> Iterator[tuple[Line, PostgresEventStore, PostgresEventStore]]:
    """A events behind a line that can be cut, already connected, and one that looks on from beside it."""
    with line_to(migrated) as (line, url), closing(open_connected(url)) as behind, closing(PostgresEventStore(migrated)) as beside:
        # The first statement of each shape is prepared in a message of its own; a cut would hit that one.
        for before in (commit(A, 1), commit(A, 2), commit(A, 3, key="before", text="before")):
            behind.commit_group([before])
        yield line, behind, beside


@pytest.mark.parametrize("cut", ["request", "reply"])
def test_an_append_whose_connection_breaks_is_stored_once_and_answered_with_its_sequences(
    cuttable: tuple[Line, PostgresEventStore, PostgresEventStore], cut: Cut
):
    line, behind, beside = cuttable
    line.cut = cut
    outcomes = behind.commit_group([commit(A, 4, key="k", text="t"), commit(B, 1)])
    assert line.happened.is_set()
    assert [(sequence,) for sequence, _, _ in stored(beside)[3:]] == outcomes
    assert [(game, version) for _, game, version in stored(beside)[3:]] == [(A, 4), (B, 1)]


def test_a_lost_reply_to_a_conflict_stays_a_conflict(cuttable: tuple[Line, PostgresEventStore, PostgresEventStore]):
    line, behind, beside = cuttable
    line.cut = "reply"
    assert told(behind.commit_group([commit(A, 1, state=b"another"), commit(B, 2)])) == ["Conflict", "Conflict"]
    assert len(stored(beside)) == 3


def test_somebody_else_s_event_is_never_taken_for_one_s_own(cuttable: tuple[Line, PostgresEventStore, PostgresEventStore]):
    line, behind, beside = cuttable
    beside.insert_events([event(A, 4, b"theirs")])
    line.cut = "request"
    assert told(behind.commit_group([commit(A, 4, state=b"ours"), commit(B, 2)])) == ["Conflict", "Conflict"]


def test_if_the_server_stays_away_after_a_lost_reply_the_outcome_is_unclear(cuttable: tuple[Line, PostgresEventStore, PostgresEventStore]):
    line, behind, beside = cuttable
    line.cut, line.open = "reply", False
    with pytest.raises(OutcomeUnknownError):
        behind.commit_group([commit(A, 4)], patience=0.3)
    assert len(stored(beside)) == 4
    line.open = True
    assert told(behind.commit_group([commit(A, 4, state=b"another")])) == ["Conflict"]


def test_a_server_that_is_away_from_the_start_has_stored_nothing(migrated: str, monkeypatch: pytest.MonkeyPatch):
    with line_to(migrated) as (line, url), closing(PostgresEventStore(url)) as behind:
        line.open = False
        monkeypatch.setattr(connections, "WAIT", 0.0)
        with pytest.raises(StoreUnavailableError):
            behind.commit_group([commit(A, 1)], patience=0.2)
        monkeypatch.undo()
        line.open = True
        assert until(lambda: answered(behind, commit(A, 1))) == [(1,)]


def answered(store: PostgresEventStore, given: Commit) -> list[CommitOutcome] | None:
    """Return the result of the append; ``None`` while the store is away. Its pool pauses before it tries again."""
    try:
        return store.commit_group([given])
    except StoreUnavailableError:
        return None


def test_who_waits_for_a_server_that_comes_back_in_time_never_knows(migrated: str):
    with line_to(migrated) as (line, url), closing(PostgresEventStore(url)) as behind:
        line.open = False
        outcomes: list[object] = []
        waiting = Thread(target=lambda: outcomes.extend(behind.commit_group([commit(A, 1)], patience=30)))
        waiting.start()
        line.open = True
        waiting.join()
    assert outcomes == [(1,)]


def test_an_append_to_a_frozen_server_can_be_broken_off(cuttable: tuple[Line, PostgresEventStore, PostgresEventStore]):
    line, behind, beside = cuttable
    line.held = True
    line.open = False  # for new connections, once the old one is broken off
    errors: list[Exception] = []

    def append() -> None:
        try:
            behind.commit_group([commit(A, 4)], patience=0.1)
        except OutcomeUnknownError as error:
            errors.append(error)

    hanging = Thread(target=append)
    hanging.start()
    assert line.happened.wait(30)
    behind.interrupt()
    hanging.join(30)
    assert len(errors) == 1
    line.held, line.open = False, True
    behind.commit_group([commit(A, 5), commit(B, 1)])
    assert [(game, version) for _, game, version in stored(beside)[3:]] == [(A, 4), (A, 5), (B, 1)]


def test_connections_that_are_terminated_again_and_again_lose_nothing_and_double_nothing(migrated: str):
    games = [uuid4() for _ in range(8)]
    answered: dict[UUID, list[tuple[int, int]]] = {}

    async def caller(writer: GroupWriter, murderer: psycopg.AsyncConnection, game: UUID) -> None:
        answered[game] = []
        for version in range(1, 41):
            [sequence] = await writer.append(commit(game, version), deadline=60)
            answered[game].append((sequence, version))
            if version % 8 == 0:
                await murderer.execute(TERMINATE)

    async def test(events: PostgresEventStore) -> None:
        writer = GroupWriter(events)
        await writer.start()
        async with await psycopg.AsyncConnection.connect(migrated, autocommit=True) as murderer:
            await asyncio.gather(*(caller(writer, murderer, game) for game in games))
        await writer.close()

    with closing(PostgresEventStore(migrated)) as events:
        uvloop.run(test(events))
        rows = stored(events)
    assert answered == {game: [(sequence, version) for sequence, other, version in rows if other == game] for game in games}
    assert [[version for _, version in answered[game]] for game in games] == [list(range(1, 41))] * 8


def test_reading_survives_a_restart_of_the_connections(migrated: str):
    with closing(open_events(migrated)) as events, psycopg.connect(migrated, autocommit=True) as other:
        events.insert_events([event(A, 1)])
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        assert events.select_events(A) == [event(A, 1)]
        assert events.insert_events([event(A, 2)])


def test_a_search_path_in_the_address_chooses_the_schema(postgres_url: str):
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA club")
    url = f"{postgres_url}?options=-csearch_path%3Dclub"
    migrate(url)
    with closing(open_events(url)) as events:
        events.insert_events([event(A, 1)])
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM club.events").fetchone() == (1,)


def test_a_standby_is_not_taken_for_the_database_unless_the_address_says_so():
    with running_server(standby=True) as standby:
        with (
            closing(PostgresDatabase(standby.url(), lambda error: error, 1)) as database,
            pytest.raises(psycopg.OperationalError, match="hot standby"),
        ):
            database.connect()
        with closing(PostgresEventStore(f"{standby.url()}?target_session_attrs=any")) as reader:
            assert reader.query("SELECT pg_is_in_recovery()") == [(True,)]


@pytest.mark.parametrize(("set_for_all", "when_writing"), [("off", "on"), ("local", "on"), ("remote_write", "remote_write")])
def test_what_is_acknowledged_is_waited_for_whatever_is_set_for_all(migrated: str, set_for_all: str, when_writing: str):
    options = f"?options=-csynchronous_commit%3D{set_for_all}"
    with closing(PostgresEventStore(f"{migrated}{options}")) as store:
        store.commit_group([commit(A, 1)])
        assert store._writer is not None
        assert store._writer.execute("SHOW synchronous_commit").fetchone() == (when_writing,)
        assert store.query("SHOW synchronous_commit") == [(when_writing,)]  # tokens and names, too
