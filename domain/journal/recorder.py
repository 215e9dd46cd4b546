"""What the eventsourcing library sees of the journal: its mapper and its recorder, over the journal's codec and store."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, JSONTranscoder, Mapper, Notification, Subscription

from domain.events import Recorded
from domain.journal.commits import Conflict, StoredEvent
from domain.journal.mapper import from_stored
from domain.journal.store import EventStore


class EventMapper(Mapper[UUID]):
    """Replaces the library's mapper: msgspec reads and writes the bytes, upcasts run before a Struct is built."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> persistence.StoredEvent:
        recorded: Recorded = domain_event
        return persistence.StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)

    def to_domain_event(self, stored_event: persistence.StoredEvent) -> Any:
        return from_stored(_ours(stored_event))


class StoreRecorder(ApplicationRecorder):
    """The library's recorder on top of a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **_: Any) -> Sequence[int]:
        try:
            return self._store.insert_events([_ours(event) for event in stored_events])
        except Conflict as error:
            raise IntegrityError(*error.args) from error

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, desc: bool = False, limit: int | None = None
    ) -> list[persistence.StoredEvent]:
        found = self._store.select_events(_id(originator_id), gt or 0, lte, None if desc else limit)
        events = [persistence.StoredEvent(event.stream, event.position, event.name, event.state) for event in found]
        return events[::-1][:limit] if desc else events

    def select_notifications(
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), *, inclusive_of_start: bool = True
    ) -> list[Notification]:
        after = (start or 0) - (1 if inclusive_of_start and start else 0)
        rows = self._store.events_after(after, limit, upto=stop, names=topics or None)
        return [Notification(event.stream, event.position, event.name, event.state, sequence) for sequence, event in rows]

    def max_notification_id(self) -> int | None:
        return self._store.head() or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("followers wait with the store's wait_for")


def _ours(event: persistence.StoredEvent) -> StoredEvent:
    return StoredEvent(_id(event.originator_id), event.originator_version, event.topic, event.state)


def _id(given: UUID | str) -> UUID:
    return given if isinstance(given, UUID) else UUID(given)
