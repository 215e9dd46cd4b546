"""Append-only events: in both databases, no statement changes, removes or replaces them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from deploy.stores.migrating import is_guarded, migrate
from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.registers import Duplicate
from tests.append_only import drop_triggers
from tests.deploy.stores.stores import commit, stored

GAME = uuid4()
WHERE = "WHERE originator_version = 2"
WHY = "events are append-only: what was recorded is never (changed|removed|changed or removed); a mistake is put right by a further event"
UPSERT = f"""INSERT INTO events (originator_id, originator_version, topic, state)
    SELECT originator_id, originator_version + 1, topic, state FROM events {WHERE}
    ON CONFLICT (originator_id, originator_version) DO UPDATE SET state = excluded.state"""


@pytest.mark.parametrize(
    "tampering",
    [
        f"UPDATE events SET state = state {WHERE}",
        f"UPDATE events SET originator_version = 9 {WHERE}",
        f"DELETE FROM events {WHERE}",
        "DELETE FROM events",
        UPSERT,
    ],
)
def test_what_was_recorded_is_neither_changed_nor_removed(events: OpenedEvents, tampering: str):
    events.commit_group([commit(GAME, 1, 2, 3)])
    before = stored(events)
    with pytest.raises(Duplicate, match="events are append-only: "):
        events.change(tampering)
    assert stored(events) == before


def test_the_refusal_says_why(events: OpenedEvents):
    events.commit_group([commit(GAME, 1)])
    for tampering in ("UPDATE events SET topic = 'another'", "DELETE FROM events"):
        with pytest.raises(Duplicate, match=WHY):
            events.change(tampering)


@pytest.mark.parametrize(("columns", "values"), [("", ""), ("sequence, ", "sequence, ")])
def test_what_was_recorded_is_not_replaced_either(sqlite_events: OpenedEvents, columns: str, values: str):
    """SQLite removes what it replaces without asking a trigger of removals."""
    sqlite_events.commit_group([commit(GAME, 1, 2, state=b"before")])
    replacing = f"INSERT OR REPLACE INTO events ({columns}originator_id, originator_version, topic, state)"
    with pytest.raises(Duplicate, match="events are append-only: there is an event at this place already"):
        sqlite_events.change(f"{replacing} SELECT {values}originator_id, originator_version, topic, x'00' FROM events {WHERE}")
    assert [event.state for event in sqlite_events.select_events(GAME)] == [b"before", b"before"]


@pytest.fixture
def sqlite_events(tmp_path: Path) -> Iterator[OpenedEvents]:
    url = f"sqlite:///{tmp_path / 'kiebitz.db'}"
    migrate(url)
    with closing(open_events(url)) as opened:
        yield opened


def test_postgresql_does_not_empty_the_table_either(migrated: str):
    with psycopg.connect(migrated) as connection, pytest.raises(psycopg.errors.RestrictViolation, match=WHY):
        connection.execute("TRUNCATE events")


def test_registers_are_changed_and_erased_as_before(events: OpenedEvents):
    events.commit_group([commit(GAME, 1, key="k", text="t")])
    assert events.erase_text("t", GAME, 1)
    events.erase_person("anna", GAME, "2026-03-01T10:00:00Z", "berta")
    command = events.find_command("anna", "k")
    assert (events.text("t"), command and command.fingerprint) == (None, "")
    assert events.forget_commands("2999-01-01T00:00:00Z") == 1


def test_events_of_a_store_of_before_are_guarded_once_it_is_migrated(events: OpenedEvents, journal_url: str):
    events.commit_group([commit(GAME, 1)])
    assert is_guarded(journal_url)
    drop_triggers(events)
    assert not is_guarded(journal_url)
    events.change("DELETE FROM _yoyo_migration WHERE migration_id = 'journal-0005-append-only'")
    if not journal_url.startswith("sqlite"):
        events.change("DROP FUNCTION refuse_to_change_events")
    assert migrate(journal_url) == ["journal-0005-append-only"]
    with pytest.raises(Duplicate, match=WHY):
        events.change("DELETE FROM events")
    assert len(stored(events)) == 1
