"""What the eventsourcing library sees of a store. The same for both databases."""

from uuid import UUID, uuid4

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Notification, StoredEvent
from eventsourcing.utils import Environment

from domain.journal.snapshots import StoreRecorder
from domain.journal.store import EventStore

A, B = uuid4(), uuid4()


@pytest.fixture
def recorder(events: EventStore) -> StoreRecorder:
    return StoreRecorder(events)


def event(game: UUID, version: int, state: bytes = b"{}") -> StoredEvent:
    return StoredEvent(game, version, "move.played/1", state)


def test_a_conflict_is_told_as_the_library_expects(recorder: StoreRecorder):
    assert recorder.insert_events([]) == ()
    assert recorder.insert_events([event(A, 1)]) == (1,)
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(A, 1)])


def test_events_are_selected_as_the_library_does(recorder: StoreRecorder):
    events = [event(A, version, str(version).encode()) for version in range(1, 8)]
    recorder.insert_events([*events[:4], event(B, 1), *events[4:]])
    assert recorder.select_events(A) == events
    assert recorder.select_events(A, gt=2, lte=6) == events[2:6]
    assert recorder.select_events(A, desc=True, limit=2) == [events[6], events[5]]
    assert recorder.select_events(uuid4()) == []


def test_notifications_are_selected_as_the_library_does(recorder: StoreRecorder):
    recorder.insert_events([event(A, 1), event(B, 1), event(A, 2)])
    rows = [Notification(game, version, "move.played/1", b"{}", n) for n, (game, version) in enumerate([(A, 1), (B, 1), (A, 2)], 1)]
    assert recorder.select_notifications(None, 10) == rows
    assert recorder.select_notifications(2, 10) == rows[1:]
    assert recorder.select_notifications(1, 1, inclusive_of_start=False) == rows[1:2]
    assert recorder.select_notifications(None, 10, stop=2, topics=["move.played/1", "other"]) == rows[:2]
    assert recorder.select_notifications(None, 10, topics=["other"]) == []


def test_the_highest_sequence_is_none_in_an_empty_store(recorder: StoreRecorder):
    assert recorder.max_notification_id() is None
    recorder.insert_events([event(A, 1), event(A, 2)])
    assert recorder.max_notification_id() == 2


class Counter(Aggregate):
    pass


class Counters(Application[UUID]):
    def __init__(self, recorder: StoreRecorder) -> None:
        self._given = recorder
        super().__init__()

    def construct_env(self, name: str, env: object = None) -> Environment:
        return Environment(name, {})

    def construct_recorder(self) -> ApplicationRecorder:
        return self._given


def test_the_library_s_application_works_on_it_unchanged(recorder: StoreRecorder):
    counters, counter = Counters(recorder), Counter()
    [recording] = counters.save(counter)
    assert counters.repository.get(counter.id) == counter
    assert [event.originator_version for event in counters.events.get(counter.id)] == [1]
    assert counters.notification_log.select(1, 10) == [recording.notification]
