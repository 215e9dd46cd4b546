"""Between recorded events and stored ones. Names are the events' own, never Python paths."""

from domain import codec
from domain.events import Recorded
from domain.journal.commits import StoredEvent


def to_stored(recorded: Recorded) -> StoredEvent:
    return StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)


def from_stored(event: StoredEvent) -> Recorded:
    """Raises nothing: unreadable bytes become an ``Unreadable`` event."""
    return codec.decode_event(event.stream, event.position, event.name, event.state)
