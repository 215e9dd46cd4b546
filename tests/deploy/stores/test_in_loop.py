"""Asynchronous append in the server's loop to PostgreSQL, and its failures, which the thread resolves."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from uuid import UUID, uuid4

import psycopg
import pytest
import uvloop

from deploy.stores.postgres.append import LOCK
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.sqlite.journal import SqliteEventStore
from domain.journal.commits import Commit, CommitOutcome, OutcomeUnknownError, StoreUnavailableError
from domain.journal.store import EventStore
from domain.journal.writer import GroupWriter
from tests.deploy.stores.line import Cut, line_to
from tests.deploy.stores.stores import commit, open_connected, stored, told, writing_stopped
from tests.migrated import migrated_file

A, B, C = uuid4(), uuid4(), uuid4()
TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kiebitz-%'"


@pytest.fixture
def store(migrated: str) -> Iterator[PostgresEventStore]:
    """One that is connected already."""
    with closing(PostgresEventStore(migrated)) as store:
        store.commit_group([commit(A, 1)])
        yield store


def in_loop(store: PostgresEventStore, commits: list[Commit], patience: float = 10.0) -> list[CommitOutcome] | None:
    return uvloop.run(answered(store, commits, patience))


async def answered(store: EventStore, commits: list[Commit], patience: float = 10.0) -> list[CommitOutcome] | None:
    """Return the outcome; ``None`` also if nothing was sent."""
    answer: asyncio.Future[list[CommitOutcome] | Exception | None] = asyncio.get_running_loop().create_future()

    def note(outcomes: list[CommitOutcome] | Exception | None) -> None:
        if not answer.done():  # who asked may have gone
            answer.set_result(outcomes)

    outcomes = await answer if store.send_in_loop(commits, patience, note) else None
    if isinstance(outcomes, Exception):
        raise outcomes
    return outcomes


def written(store: PostgresEventStore, commits: list[Commit], patience: float = 10.0) -> list[CommitOutcome]:
    """As the writer does it: in the loop, else in the thread."""
    outcomes = in_loop(store, commits, patience)
    return store.commit_group(commits, patience) if outcomes is None else outcomes


def test_what_the_loop_stores_has_the_sequences_and_keys_that_the_thread_would_give_it(store: PostgresEventStore):
    assert in_loop(store, [commit(A, 2, 3, state=b'{"at":1}', key="k"), commit(B, 1), commit(A, 4, key="l")]) == [(2, 3), (4,), (5,)]
    assert [(event.stream, event.position, event.state) for _, event in store.events_after(1, 10)] == [
        (A, 2, b'{"at":1}'),
        (A, 3, b'{"at":1}'),
        (B, 1, b"{}"),
        (A, 4, b"{}"),
    ]
    kept = store.find_command("anna", "k")
    assert kept is not None
    assert (kept.fingerprint, kept.game, kept.first, kept.last, kept.sequence) == ("digest", A, 2, 3, 3)


def test_one_event_is_stored_by_itself_as_among_others(store: PostgresEventStore):
    assert in_loop(store, [commit(A, 2, state=b'{"at":1}')]) == [(2,)]
    assert in_loop(store, [commit(B, 1, key="k")]) == [(3,)]
    assert [(event.stream, event.position, event.state) for _, event in store.events_after(1, 10)] == [(A, 2, b'{"at":1}'), (B, 1, b"{}")]
    kept = store.find_command("anna", "k")
    assert kept is not None
    assert (kept.fingerprint, kept.game, kept.first, kept.last, kept.sequence) == ("digest", B, 1, 1, 3)


OUT_OF_THE_ORDINARY: dict[str, tuple[Callable[[UUID, UUID], list[Commit]], list[str]]] = {
    "there": (lambda a, _: [commit(a, 2), commit(a, 1)], ["stored", "Conflict"]),
    "there, alone": (lambda a, _: [commit(a, 1)], ["Conflict"]),
    "gap": (lambda a, _: [commit(a, 3)], ["Conflict"]),
    "no beginning, alone": (lambda _, b: [commit(b, 2)], ["Conflict"]),
    "gap, with a key": (lambda a, _: [commit(a, 3, key="k")], ["Conflict"]),
    "no beginning": (lambda a, b: [commit(b, 2), commit(a, 2)], ["Conflict", "stored"]),
    "key": (lambda a, b: [commit(a, 2, key="k"), commit(b, 1, key="k")], ["stored", "DuplicateKeyError"]),
    "words": (lambda a, _: [commit(a, 2, text="words")], ["stored"]),
}
"""Commits to a game that has an event and to one that has none, and what becomes of them."""


def test_what_is_out_of_the_ordinary_is_left_to_the_thread_and_nothing_was_stored(store: PostgresEventStore):
    for name, (committed, outcomes) in OUT_OF_THE_ORDINARY.items():
        there, other = uuid4(), uuid4()
        store.commit_group([commit(there, 1)])
        before, commits = stored(store), committed(there, other)
        assert in_loop(store, commits) is None, name
        assert stored(store) == before, name
        assert [one if isinstance(one, str) else "stored" for one in told(store.commit_group(commits))] == outcomes, name


def test_who_came_second_is_told_so_while_others_append(migrated: str, store: PostgresEventStore):
    store.commit_group([commit(B, 1, key="k")])
    late = [commit(A, 1, state=b"another"), commit(A, 2, key="k")]
    assert in_loop(store, late) is None
    with writing_stopped(migrated):
        assert told(store.commit_group(late)) == ["Conflict", "DuplicateKeyError"]
    mixed = [*late, commit(A, 2)]
    assert in_loop(store, mixed) is None
    *judged, sequences = told(store.commit_group(mixed))
    assert (judged, stored(store)[-1]) == (["Conflict", "DuplicateKeyError"], (*sequences, A, 2))


def test_who_came_second_is_told_so_while_others_append_also_where_the_loop_sent_nothing(migrated: str, store: PostgresEventStore):
    store.commit_group([commit(B, 1, key="k")])
    late = [commit(A, 1, text="one"), commit(B, 1, key="k", text="two"), commit(A, 1, text="one")]
    with writing_stopped(migrated):
        assert told(store.commit_group(late)) == ["Conflict", "DuplicateKeyError", "Conflict"]


def test_a_command_that_another_process_records_while_it_is_judged_gets_its_receipt(migrated: str, store: PostgresEventStore):
    """It must not be told that its own events were in its way."""
    late = [commit(B, 1, key="k"), commit(A, 1), commit(A, 1)]
    with psycopg.connect(migrated) as other, ThreadPoolExecutor(1) as thread:
        other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        judged = thread.submit(store.commit_group, late)
        while not other.execute("SELECT FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted").fetchall():
            assert not judged.done()
        other.execute("INSERT INTO events (originator_id, originator_version, topic, state) VALUES (%s, 1, 'move.played/1', '{}')", (B,))
        other.execute(
            "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES ('anna', 'k', 'digest', %s, 1, 1, 2)",
            (B,),
        )
        other.commit()
        assert told(judged.result(30)) == ["DuplicateKeyError", "Conflict", "Conflict"]


def test_a_store_that_has_no_connection_yet_gets_it_in_the_thread(migrated: str):
    with closing(PostgresEventStore(migrated)) as store:
        assert in_loop(store, [commit(A, 1)]) is None
        assert stored(store) == []


def test_while_somebody_else_appends_the_loop_does_other_things(store: PostgresEventStore, migrated: str):
    async def test() -> None:
        waiting = asyncio.create_task(answered(store, [commit(A, 2)]))
        done = 0
        while done < 100:
            await asyncio.sleep(0)
            done += 1
        assert not waiting.done()
        other.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        assert await waiting == [(2,)]

    with psycopg.connect(migrated, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        uvloop.run(test())


def test_while_a_thread_of_this_process_writes_the_loop_does_not_wait_for_it(store: PostgresEventStore, migrated: str):
    begun, ended = Event(), Event()

    def write() -> None:
        begun.set()
        store.commit_group([commit(B, 1)])
        ended.set()

    with writing_stopped(migrated):
        thread = Thread(target=write)
        thread.start()
        assert begun.wait(30)
        while store._writing.acquire(blocking=False):  # until the thread has its turn
            store._writing.release()
        assert in_loop(store, [commit(A, 2)]) is None
        assert not ended.is_set()
    thread.join(30)
    assert in_loop(store, [commit(A, 2)]) is not None


@pytest.mark.parametrize("cut", ["request", "reply"])
def test_a_connection_that_breaks_under_it_loses_nothing_and_doubles_nothing(migrated: str, cut: Cut):
    with line_to(migrated) as (line, url), closing(open_connected(url)) as behind, closing(PostgresEventStore(migrated)) as beside:
        behind.commit_group([commit(A, 1)])
        line.cut = cut
        commits = [commit(A, 2, key="k"), commit(B, 1)]
        assert in_loop(behind, commits) is None
        assert line.happened.wait(30)
        assert [(game, version) for _, game, version in stored(beside)] == [(A, 1), *([(A, 2), (B, 1)] if cut == "reply" else [])]
        outcomes = behind.commit_group(commits)
        assert [(game, version) for _, game, version in stored(beside)] == [(A, 1), (A, 2), (B, 1)]
        assert outcomes == [(sequence,) for sequence, _, _ in stored(beside)[1:]]


def test_what_another_process_recorded_meanwhile_is_not_taken_for_ones_own(migrated: str):
    with line_to(migrated) as (line, url), closing(open_connected(url)) as behind, closing(PostgresEventStore(migrated)) as beside:
        behind.commit_group([commit(A, 1)])
        line.cut = "request"
        commits = [commit(A, 2, state=b"ours")]
        assert in_loop(behind, commits) is None
        beside.commit_group([commit(A, 2, state=b"theirs")])
        assert told(behind.commit_group(commits)) == ["Conflict"]


def test_a_session_that_is_ended_while_it_waits_for_its_turn_is_asked_again(store: PostgresEventStore, migrated: str):
    async def test() -> None:
        commits = [commit(A, 2)]
        waiting = asyncio.create_task(answered(store, commits))
        while not waiting.done():
            other.execute(TERMINATE)
            await asyncio.sleep(0)
        assert await waiting is None
        other.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        assert await asyncio.to_thread(store.commit_group, commits) == [(2,)]

    with psycopg.connect(migrated, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        uvloop.run(test())


def test_a_session_that_was_ended_before_is_found_out_without_waiting_for_the_end_of_all_patience(store: PostgresEventStore, migrated: str):
    """The connection is reset then, and the loop tells nobody."""
    with psycopg.connect(migrated, autocommit=True) as other:
        for position in range(2, 22):
            other.execute(TERMINATE)
            commits = [commit(A, position)]
            assert uvloop.run(answered(store, commits, patience=3600.0)) is None
            assert len(told(store.commit_group(commits))) == 1
    assert [version for _, _, version in stored(store)] == list(range(1, 22))


def test_a_server_that_does_not_answer_in_time_leaves_it_open(migrated: str):
    with line_to(migrated) as (line, url), closing(open_connected(url)) as behind:
        behind.commit_group([commit(A, 1)])
        line.held, line.open = True, False
        commits = [commit(A, 2)]
        assert in_loop(behind, commits, patience=0.0) is None
        with pytest.raises(OutcomeUnknownError):
            behind.commit_group(commits, patience=0.0)
        line.held, line.open = False, True
        assert len(told(settled(behind, commits))) == 1
        assert [(game, version) for _, game, version in stored(behind)] == [(A, 1), (A, 2)]


def settled(store: PostgresEventStore, commits: list[Commit]) -> list[CommitOutcome]:
    while True:
        try:
            return store.commit_group(commits)
        except (StoreUnavailableError, OutcomeUnknownError):
            pass


def test_many_groups_one_after_another_use_one_connection(store: PostgresEventStore):
    async def test() -> None:
        for position in range(2, 202):
            assert await answered(store, [commit(A, position)]) is not None

    uvloop.run(test())
    assert [version for _, _, version in stored(store)] == list(range(1, 202))


@pytest.mark.parametrize("cut", ["request", "reply"])
def test_who_was_sent_alone_when_the_connection_broke_is_answered_once_and_stored_once(migrated: str, cut: Cut):
    async def test(events: PostgresEventStore) -> list[tuple[int, ...]]:
        writer = GroupWriter(events)
        await writer.start()
        answers = [await writer.append(commit(A, position)) for position in range(1, 9)]
        line.cut = cut
        sent = asyncio.create_task(writer.append(commit(A, 9)))
        await asyncio.sleep(0)
        assert writer.in_progress == 1  # it has gone already
        answers += [await sent, await writer.append(commit(A, 10))]
        await writer.close()
        return answers

    with line_to(migrated) as (line, url), closing(open_connected(url)) as behind:
        answers = uvloop.run(test(behind))
        assert line.happened.is_set()
        assert [((sequence,), position) for sequence, _, position in stored(behind)] == list(zip(answers, range(1, 11), strict=True))


def test_who_was_sent_alone_does_not_know_what_became_of_it_when_his_time_runs_out(store: PostgresEventStore, migrated: str):
    async def test() -> None:
        writer = GroupWriter(store)
        await writer.start()
        for position in range(2, 9):
            await writer.append(commit(A, position))
        with writing_stopped(migrated):
            with pytest.raises(OutcomeUnknownError):
                await writer.append(commit(A, 9), deadline=0.05)
            with pytest.raises(StoreUnavailableError):
                await writer.append(commit(B, 1), deadline=0.05)
        await writer.append(commit(C, 1))
        await writer.close()

    uvloop.run(test())
    assert [(game, version) for _, game, version in stored(store)][8:] == [(A, 9), (C, 1)]


@pytest.mark.parametrize("then", ["closed", "asked"])
def test_a_loop_that_ends_before_the_answer_keeps_nobody_waiting(migrated: str, then: str):
    async def test() -> None:
        assert store.send_in_loop(commits, 10.0, lambda _: None)

    commits = [commit(A, 2)]
    with closing(PostgresEventStore(migrated)) as store:
        store.commit_group([commit(A, 1)])
        with writing_stopped(migrated):
            uvloop.run(test())
            if then == "closed":
                store.close()
        if then == "asked":
            assert len(told(store.commit_group(commits))) == 1
            assert [(game, version) for _, game, version in stored(store)] == [(A, 1), (A, 2)]


def test_a_loop_that_goes_on_after_it_was_given_up_is_told_to_ask_again(migrated: str):
    async def test() -> None:
        assert store.send_in_loop(commits, 10.0, answers.append)

    async def answered() -> None:
        while not answers:
            await asyncio.sleep(0)

    commits, answers, loop = [commit(A, 2)], list[object](), uvloop.new_event_loop()
    with closing(PostgresEventStore(migrated)) as store, closing(loop):
        store.commit_group([commit(A, 1)])
        with writing_stopped(migrated):
            loop.run_until_complete(test())
        store.commit_group([commit(B, 1)])
        loop.run_until_complete(answered())
        assert answers == [None]
        assert len(told(store.commit_group(commits))) == 1
        store.commit_group([commit(B, 2)])
        assert sorted(version for _, game, version in stored(store) if game == A) == [1, 2]
        assert [version for _, game, version in stored(store) if game == B] == [1, 2]


def test_who_gives_up_waiting_leaves_the_connection_as_it_was(store: PostgresEventStore, migrated: str):
    async def test() -> None:
        with writing_stopped(migrated):
            waiting = asyncio.create_task(answered(store, [commit(A, 2)]))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
        while store._writing.locked():
            await asyncio.sleep(0)
        assert await answered(store, [commit(A, 3)]) is not None

    writer = store._writer
    uvloop.run(test())
    assert store._writer is writer
    assert [version for _, _, version in stored(store)] == [1, 2, 3]


def test_enough_who_wait_set_out_while_the_next_ones_are_decided(store: PostgresEventStore):
    async def test() -> None:
        writer = GroupWriter(store)
        await writer.start()
        appended = [asyncio.create_task(writer.append(commit(uuid4(), 1))) for _ in range(24)]
        await asyncio.sleep(0)
        assert (writer.in_progress, writer.queue_length) == (8, 16)
        await asyncio.gather(*appended)
        assert (writer.groups, writer.grouped) == (2, 24)
        await writer.close()

    uvloop.run(test())
    assert len(stored(store)) == 25


def test_loop_and_thread_use_one_connection_by_turns(store: PostgresEventStore):
    async def test() -> None:
        for position in range(2, 42, 2):
            assert await answered(store, [commit(A, position)]) is not None
            await asyncio.to_thread(store.commit_group, [commit(A, position + 1)])

    writer = store._writer
    uvloop.run(test())
    assert store._writer is writer
    assert [version for _, _, version in stored(store)] == list(range(1, 42))


def test_connections_that_broke_leave_no_socket_behind(store: PostgresEventStore, migrated: str):
    async def test() -> None:
        with psycopg.connect(migrated, autocommit=True) as other:
            for position in range(2, 22, 2):
                assert await answered(store, [commit(A, position)]) is not None
                other.execute(TERMINATE)
                await asyncio.to_thread(written_by_thread, commit(A, position + 1))
                await asyncio.sleep(0)
                used.append(len(list(Path("/proc/self/fd").iterdir())))

    def written_by_thread(one: Commit) -> None:
        assert len(told(settled(store, [one]))) == 1

    used: list[int] = []
    uvloop.run(test())
    assert used[-1] <= used[1]


def test_a_group_that_is_larger_than_what_a_socket_takes_at_once_goes_through(store: PostgresEventStore):
    large = b'"' + b"x" * 300_000 + b'"'
    commits = [commit(uuid4(), 1, 2, state=large) for _ in range(40)]
    outcomes = in_loop(store, commits)
    assert outcomes is not None
    assert [len(outcome) for outcome in outcomes if isinstance(outcome, tuple)] == [2] * 40


def test_an_embedded_database_is_never_written_in_the_way_of_a_server(tmp_path: Path):
    migrated_file(tmp_path / "one.db")
    with closing(SqliteEventStore(tmp_path / "one.db")) as store:
        assert uvloop.run(answered(store, [commit(A, 1)])) is None
