"""Between recorded events and the library's stored events. Topics are the events' own names, never Python paths."""

from typing import Any
from uuid import UUID

from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent

from domain import codec
from domain.events import Recorded


class EventMapper(Mapper[UUID]):
    """Replaces the library's mapper: msgspec reads and writes the bytes, upcasts run before a Struct is built."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        return stored(domain_event)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return read(stored_event)


def stored(recorded: Recorded) -> StoredEvent:
    return StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)


def read(event: StoredEvent) -> Recorded:
    """Raises nothing: unreadable bytes become an ``Unreadable`` event."""
    game = event.originator_id
    return codec.read(game if isinstance(game, UUID) else UUID(game), event.originator_version, event.topic, event.state)
