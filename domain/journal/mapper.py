"""Between recorded events and stored ones. Names are the events' own, never Python paths."""

from domain import codec
from domain.events import Recorded
from domain.journal.commits import StoredEvent


def stored(recorded: Recorded) -> StoredEvent:
    return StoredEvent(recorded.stream, recorded.position, recorded.name, recorded.state)


def read(event: StoredEvent) -> Recorded:
    """Raises nothing: unreadable bytes become an ``Unreadable`` event."""
    return codec.read(event.stream, event.position, event.name, event.state)
