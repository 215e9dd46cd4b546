"""Silent PostgreSQL server, which accepts data and does not reply."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from threading import Event, Thread
from uuid import uuid4

import psycopg
import pytest

from deploy.stores.opening import OpenedEvents
from deploy.stores.postgres import connections
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.postgres.projections import PostgresProjections
from domain.errors import Unavailable
from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError
from domain.journal.sessions import Token
from tests.deploy.serving import Answer, until
from tests.deploy.stores.line import Line, line_to
from tests.deploy.stores.stores import event, sql_of

ANSWER = 0.5
A = uuid4()


@pytest.fixture
def holdable(migrated: str) -> Iterator[tuple[Line, PostgresEventStore]]:
    """Events behind a line that can be held, already connected."""
    with line_to(migrated) as (line, url), closing(PostgresEventStore(url, ANSWER)) as behind:
        behind.insert_events([event(A, 1)])
        assert behind.select_events(A) == [event(A, 1)]
        yield line, behind


def test_projections_are_not_waited_for_either(postgres_url: str):
    with line_to(postgres_url) as (line, url), closing(PostgresProjections(url, ANSWER)) as behind:
        assert behind.query("SELECT 1") == [(1,)]
        line.held = True
        with pytest.raises(Unavailable):
            behind.query("SELECT 1")
        line.held = False
        assert until(lambda: answered(lambda: behind.query("SELECT 1"))) == [(1,)]


def answered(ask: Callable[[], Answer]) -> Answer | None:
    """Return the present answer; new connections that were begun meanwhile may have to be given up first."""
    with suppress(StoreUnavailableError, Unavailable):
        return ask()
    return None


def test_while_the_server_is_silent_one_asks_and_the_others_are_refused_at_once_until_it_answers(
    holdable: tuple[Line, PostgresEventStore], monkeypatch: pytest.MonkeyPatch
):
    line, behind = holdable
    line.held = True
    monkeypatch.setattr(connections, "WAIT", 0.0)
    assert "somebody is asking" not in refusal(behind)
    monkeypatch.setattr(connections, "WAIT", 3600.0)  # however busy the machine is
    line.happened.clear()
    read: list[object] = []
    asking = Thread(target=lambda: read.append(behind.select_events(A)))
    asking.start()
    assert line.happened.wait(30)  # his question, or his connection, is on its way
    assert "somebody is asking" in refusal(behind)
    line.held = False
    asking.join(30)
    assert read == [[event(A, 1)]]
    assert behind.select_events(A) == [event(A, 1)]


def test_while_somebody_waits_a_server_that_is_away_is_tried_again_and_again(migrated: str, monkeypatch: pytest.MonkeyPatch):
    """The pool by itself waits for twice as long each time, and a server that is back would be found seconds later."""
    monkeypatch.setattr(connections, "WAIT", 3600.0)  # however busy the machine is
    with line_to(migrated) as (line, url), closing(PostgresEventStore(url)) as behind, psycopg.connect(migrated) as other:
        assert behind.select_events(A) == []
        until(lambda: is_settled(behind))  # one that came later would answer
        line.open = False
        other.execute(END_ALL)
        read: list[object] = []
        reading = Thread(target=lambda: read.append(behind.select_events(A)))
        reading.start()
        until(lambda: line.turned_away > 16)
        line.open = True
        reading.join(30)
        assert read == [[]]


def is_settled(store: PostgresEventStore) -> bool:
    found = store.pool()
    return found.open == found.idle


END_ALL = "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


def refusal(store: PostgresEventStore) -> str:
    with pytest.raises(StoreUnavailableError) as error:
        store.select_events(A)
    return str(error.value)


def test_one_slow_question_is_no_reason_to_refuse_others(migrated: str):
    with closing(PostgresEventStore(migrated, ANSWER)) as events, psycopg.connect(migrated) as other:
        events.insert_events([event(A, 1)])
        other.execute("LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE")  # not of events: each new connection looks whose store it is
        with pytest.raises(StoreUnavailableError, match="does not answer"):
            events.list_tokens()
        assert events.select_events(A) == [event(A, 1)]
        other.rollback()
        assert events.list_tokens() == []


def test_a_change_whose_connection_breaks_may_be_stored(migrated: str):
    with closing(PostgresEventStore(migrated)) as events, psycopg.connect(migrated) as other, psycopg.connect(migrated) as looking:
        events.add_token(Token("t", "hash", "anna", "viewer", "", "2026-11-21T00:00:00Z"))
        other.execute("SELECT FROM tokens FOR UPDATE")
        ended = Event()

        def revoke() -> None:
            with pytest.raises(OutcomeUnknownError):
                events.revoke_token("t", "2026-11-22T00:00:00Z")
            ended.set()

        revoking = Thread(target=revoke)
        revoking.start()
        looking.autocommit = True
        while looking.execute(END).fetchone() != (1,):
            pass
        assert ended.wait(30)
        revoking.join()


END = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE tokens%'
"""


def test_a_trial_writes_and_leaves_no_trace(events: OpenedEvents):
    events.try_writing()
    assert sql_of(events).query("SELECT * FROM commands") == []
